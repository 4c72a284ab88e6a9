// @ts-check
"use strict";

/*
 * Tables that can be sorted by their columns, and ladders that can be searched and filtered.
 *
 * `<table data-sortable>`: each heading with `data-sort` (the name of its column) becomes a button. `data-kind` says how
 * it is sorted: numbers from the highest unless told otherwise, `ascending` numbers from the lowest, `text` by letters.
 * `<form class="filters" data-for="ID OF THE TABLE">`: the field `q` searches names and texts for words; any other field keeps the
 * rows whose `data-` attribute of that name has its value, or with `data-without` those that do not have it.
 * What is chosen stands in the fragment of the address, so that it can be linked: `#ladder.sort=-elo&ladder.q=rust`.
 */
(() => {
  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

  /** @param {string} text */
  const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();

  /** The number that a cell begins with; what is no number comes last. @param {string} text */
  const numberOf = (text) => {
    const found = text.replace(/\u2212/g, "-").match(/[-+]?\d+(\.\d+)?/);
    if (found === null) return Number.NaN;
    const bound = text.trimStart();
    return Number(found[0]) + (bound.startsWith(">") ? 1e-6 : bound.startsWith("<") ? -1e-6 : 0);
  };

  /** What is chosen in the address, by names. */
  const chosen = () => new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");

  /** @param {string} name @param {string} value */
  const choose = (name, value) => {
    const choices = chosen();
    if (value === "") choices.delete(name);
    else choices.set(name, value);
    const text = choices.toString();
    if (text !== "" || location.hash.includes("=")) history.replaceState(history.state, "", `#${text}`);
  };

  class Table {
    /** @param {HTMLTableElement} element */
    constructor(element) {
      this.element = element;
      this.name = element.id.replace(/-table$/, "");
      this.body = element.tBodies[0];
      this.rows = [...this.body.rows];
      /** @type {HTMLTableCellElement[]} */
      this.headings = [...element.querySelectorAll("th")].filter((heading) => heading.dataset.sort !== undefined);
      for (const heading of this.headings) this.addButton(heading);
    }

    /** @param {HTMLTableCellElement} heading */
    addButton(heading) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => this.press(heading));
    }

    /** Sort by a column, and at the next press the other way round. @param {HTMLTableCellElement} heading */
    press(heading) {
      const before = heading.getAttribute("aria-sort");
      const first = heading.dataset.kind === undefined ? "descending" : "ascending";
      const second = first === "ascending" ? "descending" : "ascending";
      const now = before === first ? second : first;
      this.sort(heading, now);
      choose(`${this.name}.sort`, `${now === "descending" ? "-" : ""}${heading.dataset.sort}`);
    }

    /** @param {HTMLTableCellElement} heading @param {string} direction */
    sort(heading, direction) {
      const column = heading.cellIndex;
      const sign = direction === "descending" ? -1 : 1;
      const texts = this.rows.map((row) => row.cells[column]?.textContent ?? "");
      const order = heading.dataset.kind === "text" ? byText(texts, sign) : byNumber(texts, sign);
      this.body.append(...order.map((place) => this.rows[place]));
      for (const other of this.headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", direction);
    }

    /** Sort as the address says. */
    restore() {
      const wanted = chosen().get(`${this.name}.sort`);
      const name = wanted?.replace(/^-/, "");
      const heading = this.headings.find((one) => one.dataset.sort === name);
      if (wanted && heading) this.sort(heading, wanted.startsWith("-") ? "descending" : "ascending");
    }
  }

  /** The order of some texts; equal ones stay as they are. @param {string[]} texts @param {number} sign */
  const byText = (texts, sign) =>
    [...texts.keys()].sort((one, other) => sign * collator.compare(texts[one], texts[other]) || one - other);

  /** The order by the numbers that texts begin with. @param {string[]} texts @param {number} sign */
  const byNumber = (texts, sign) => {
    const numbers = texts.map(numberOf);
    return [...numbers.keys()].sort((one, other) => {
      const [first, second] = [numbers[one], numbers[other]];
      if (Number.isNaN(first) || Number.isNaN(second)) {
        return Number(Number.isNaN(first)) - Number(Number.isNaN(second)) || one - other;
      }
      return sign * (first - second) || one - other;
    });
  };

  class Filters {
    /** @param {HTMLFormElement} form @param {Table} table */
    constructor(form, table) {
      this.form = form;
      this.table = table;
      this.texts = table.rows.map((row) => folded([...row.querySelectorAll("th, .left")].map((cell) => cell.textContent).join(" ")));
      this.fields = /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ (
        [...form.elements].filter((field) => field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
      );
      form.hidden = false;
      form.addEventListener("submit", (event) => event.preventDefault());
      form.addEventListener("input", () => this.apply());
    }

    /** @param {HTMLInputElement | HTMLSelectElement} field */
    static valueOf(field) {
      return field instanceof HTMLInputElement && field.type === "checkbox" && !field.checked ? "" : field.value.trim();
    }

    apply() {
      for (const field of this.fields) choose(`${this.table.name}.${field.name}`, Filters.valueOf(field));
      this.show();
    }

    show() {
      const tests = this.fields.filter((field) => Filters.valueOf(field) !== "").map((field) => this.test(field));
      let shown = 0;
      this.table.rows.forEach((row, place) => {
        const fits = tests.every((test) => test(row, place));
        row.hidden = !fits;
        shown += Number(fits);
      });
      this.tell(shown);
    }

    /** @param {HTMLInputElement | HTMLSelectElement} field @returns {(row: HTMLElement, place: number) => boolean} */
    test(field) {
      const value = Filters.valueOf(field);
      if (field.name === "q") {
        const words = folded(value).split(/\s+/);
        return (_, place) => words.every((word) => this.texts[place].includes(word));
      }
      const without = field.dataset.without !== undefined;
      return (row) => (row.dataset[field.name] === value) !== without;
    }

    /** Say how many rows are shown; screen readers read it out. @param {number} shown */
    tell(shown) {
      const output = this.form.querySelector("output");
      const words = output?.dataset.told ?? "";
      const all = this.table.rows.length;
      if (output) {
        output.textContent = shown === all ? "" : words.replace("{shown}", String(shown)).replace("{all}", String(all));
      }
    }

    /** Fill in the fields as the address says. */
    restore() {
      const choices = chosen();
      for (const field of this.fields) {
        const value = choices.get(`${this.table.name}.${field.name}`) ?? "";
        if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = field.value === value;
        else field.value = value;
      }
      this.show();
    }
  }

  /** @type {(Table | Filters)[]} */
  let parts = [];

  const begin = () => {
    parts = [];
    for (const element of document.querySelectorAll("table[data-sortable]")) {
      const table = new Table(/** @type {HTMLTableElement} */ (element));
      const form = document.querySelector(`form.filters[data-for="${CSS.escape(element.id)}"]`);
      parts.push(...(form instanceof HTMLFormElement ? [table, new Filters(form, table)] : [table]));
    }
    for (const part of parts) part.restore();
  };

  ordago.tables = begin;
  addEventListener("hashchange", () => parts.forEach((part) => part.restore()));
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
