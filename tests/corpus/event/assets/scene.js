// @ts-check
// What the scripts that show tables begin with: changes of scenes, and texts in the language of the page.
(() => {
  "use strict";

  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  /** @param {unknown} value @returns {value is Record<string, unknown>} */
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

  ordago.patched = (target, patch) => {
    if (!isObject(patch)) return patch;
    // A map without a prototype: a name like "__proto__" is a name like any other.
    const found = Object.assign(Object.create(null), isObject(target) ? target : {});
    for (const [name, value] of Object.entries(patch)) {
      if (value === null) delete found[name];
      else found[name] = ordago.patched(found[name], value);
    }
    return found;
  };

  /** @type {Record<string, string> | undefined} */
  let catalogue;

  ordago.say = (words, values = {}) => {
    catalogue ??= JSON.parse(document.getElementById("catalogue")?.textContent || "{}");
    const text = catalogue && Object.hasOwn(catalogue, words) ? catalogue[words] : words;
    return text.replace(/\{(\w+)\}/g, (place, name) => (Object.hasOwn(values, name) ? String(values[name]) : place));
  };
})();
