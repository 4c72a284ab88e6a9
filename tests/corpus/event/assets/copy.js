// @ts-check
// Buttons that copy a text of the page, or share its address.
(() => {
  "use strict";

  /** So long it is told that something was copied. */
  const TOLD_MS = 3000;

  /** Share the address of the page, if the browser has a way to, and return whether this was tried. */
  const shared = async () => {
    if (!("share" in navigator)) return false;
    try {
      await navigator.share({ title: document.title, url: location.href });
      return true;
    } catch (error) {
      // Whoever closes the list of ways wants none of them.
      return error instanceof DOMException && error.name === "AbortError";
    }
  };

  /** @param {HTMLButtonElement} button */
  const copy = async (button) => {
    const { copy: id = "", share, done = "", refused = "" } = button.dataset;
    const text = document.getElementById(id);
    const told = button.parentElement?.querySelector("[role=status]");
    if (!told || (share !== undefined && (await shared()))) return;
    try {
      const written = text instanceof HTMLTextAreaElement ? text.value : text?.textContent;
      await navigator.clipboard.writeText(written ?? location.href);
      told.textContent = done;
    } catch {
      // Without TLS, or without permission, the reader copies it.
      if (text) getSelection()?.selectAllChildren(text);
      told.textContent = refused;
    }
    setTimeout(() => (told.textContent = ""), TOLD_MS);
  };

  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-copy]"))) {
    if (button.dataset.share && "share" in navigator) button.textContent = button.dataset.share;
    button.addEventListener("click", () => copy(button));
    button.hidden = false;
  }
})();
