// @ts-check
// Writes what changes in the form for an event into its file at once. Without it a button does.
(() => {
  "use strict";

  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form.writing"));

  const write = async () => {
    if (!form) return;
    const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    fields.set("do", "write");
    const answer = await fetch(form.action, { method: "POST", body: fields });
    if (!answer.ok && answer.status !== 422) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (document.activeElement?.id === "text") return; // What is being written by hand comes first.
    const told = page.getElementById("told");
    if (told) document.getElementById("told")?.replaceWith(told);
    const groups = page.querySelectorAll("form.writing details");
    if (groups.length !== form.querySelectorAll("details").length) form.querySelector(".sheet")?.replaceWith(page.querySelector("form.writing .sheet") ?? "");
    for (const now of /** @type {NodeListOf<HTMLInputElement>} */ (page.querySelectorAll("form.writing [name]:not(button)"))) {
      const field = form.elements.namedItem(now.name);
      if (field instanceof HTMLElement && "value" in field && field !== document.activeElement) field.value = now.value;
    }
  };

  form?.addEventListener("change", write);
})();
