// @ts-check
// Buttons that copy a text of the page.
(() => {
  "use strict";

  /** @param {HTMLButtonElement} button */
  const copy = async (button) => {
    const text = document.getElementById(button.dataset.copy ?? "");
    const told = button.parentElement?.querySelector("[role=status]");
    if (!text || !told) return;
    try {
      await navigator.clipboard.writeText(text instanceof HTMLTextAreaElement ? text.value : (text.textContent ?? ""));
      told.textContent = button.dataset.done ?? "";
    } catch {
      // Without TLS, or without permission, the reader copies it.
      getSelection()?.selectAllChildren(text);
      told.textContent = button.dataset.refused ?? "";
    }
  };

  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-copy]"))) {
    button.addEventListener("click", () => copy(button));
    button.hidden = false;
  }
})();
