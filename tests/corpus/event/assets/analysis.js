// @ts-check
// What the house would have played: asked for where the page says so, and shown beside the steps of the replay.
(() => {
  "use strict";

  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  const ASK_AGAIN_MS = 1000;

  /** @param {string} name @returns {HTMLElement} */
  const part = (name) => /** @type {HTMLElement} */ (document.querySelector(`[data-part="${name}"]`));

  /** @param {string} tag @param {string} text @param {Record<string, string>} [attributes] */
  const made = (tag, text, attributes = {}) => {
    const element = document.createElement(tag);
    element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };

  /** What costs are counted in, as the server calls it. @type {Record<string, (number: string) => string>} */
  const UNITS = {
    points: (number) => ordago.say("{number} points", { number }),
    chips: (number) => ordago.say("{number} chips", { number }),
    "chance to win the game": (number) => ordago.say("{number} % of the chance to win the game", { number }),
    "value of the hand": (number) => ordago.say("{number} of the value of the hand", { number }),
  };

  /** @param {Verdict} verdict how much the choice cost, and how sure that is */
  const amount = ({ cost, error, unit }) => {
    const [scale, decimals] = unit === "chance to win the game" ? [100, 1] : [1, 2];
    const number = (scale * cost).toFixed(decimals) + (error ? ` ± ${(scale * error).toFixed(decimals)}` : "");
    return Object.hasOwn(UNITS, unit) ? UNITS[unit](number) : `${number} ${unit}`;
  };

  /** The names of the units in which costs are added up. @type {Record<string, () => string>} */
  const NAMES = {
    points: () => ordago.say("points"),
    chips: () => ordago.say("chips"),
    "chance to win the game": () => ordago.say("% of the chance to win the game"),
  };

  /** @param {string} unit */
  const unitName = (unit) => (Object.hasOwn(NAMES, unit) ? NAMES[unit]() : unit);

  /** @param {Verdict} verdict @returns {string} what the house says of a choice */
  const judged = (verdict) => {
    const { best, better, dear, searched } = verdict;
    if (!better) return ordago.say("The house would play the same.");
    if (!dear) return ordago.say("The house: {best}. The difference is within chance.", { best });
    const values = { best, amount: amount(verdict) };
    if (searched === false) return ordago.say("The house, by a rule of thumb: {best}, better by {amount}.", values);
    return ordago.say("The house: {best}, better by {amount}.", values);
  };

  /** The analysis of the match of the page. */
  class Analysis {
    /** @param {Replay} replay @param {string} address */
    constructor(replay, address) {
      this.replay = replay;
      this.address = address;
      this.place = part("analysis");
      this.costs = part("costs");
      this.verdict = part("verdict");
      /** @type {Record<string, Verdict>} */
      this.choices = {};
      /** @type {Step | undefined} */
      this.step = undefined;
    }

    begin() {
      this.place.hidden = false;
      this.replay.watch((step) => {
        this.step = step;
        this.judge();
      });
      this.ask("GET");
    }

    /** @param {"GET" | "POST"} method */
    async ask(method) {
      const found = await this.answer(method);
      if (found === undefined) return this.offer();
      this.choices = found.choices ?? {};
      this.judge();
      if (found.state === "done") return this.conclude(found.dearest ?? []);
      if (found.state === "failed") return this.fail(found.sentence ?? "");
      this.wait(found);
      setTimeout(() => this.ask("GET"), ASK_AGAIN_MS);
    }

    /** @param {"GET" | "POST"} method @returns {Promise<AnalysisAnswer | undefined>} what is known; nothing before it was asked for */
    async answer(method) {
      try {
        const response = await fetch(this.address, { method, headers: { Accept: "application/json" } });
        const found = response.ok ? await response.json() : {};
        return ["waiting", "working", "done", "failed"].includes(found.state) ? found : undefined;
      } catch {
        return undefined;
      }
    }

    offer() {
      const button = made("button", ordago.say("What would the house have played?"), { type: "button" });
      button.addEventListener("click", () => this.ask("POST"));
      this.costs.replaceChildren(button);
    }

    /** @param {AnalysisAnswer} found */
    wait({ done = 0, of = 0 }) {
      const words = ordago.say("The house is analysing the match.");
      const bar = made("progress", "", { "aria-label": words, max: String(of || 1), value: String(done) });
      this.place.replaceChildren(made("p", words));
      this.costs.replaceChildren(bar);
      if (of) this.place.append(made("p", ordago.say("{done} of {all} decisions", { done, all: of }), { class: "soft" }));
    }

    /** @param {string} sentence why */
    fail(sentence) {
      const told = made("p", ordago.say("The house could not analyse the match."));
      this.costs.hidden = true;
      this.place.replaceChildren(told, made("p", sentence, { class: "soft" }));
    }

    /** @param {readonly Verdict[]} dearest */
    conclude(dearest) {
      ordago.costs(this.costs, this.replay, this.choices, { unitName, amount });
      const lines = dearest.flatMap((verdict) => this.line(verdict));
      if (lines.length === 0) {
        this.place.replaceChildren(made("p", ordago.say("No choice cost more than chance explains.")));
        return;
      }
      const list = made("ol", "");
      list.append(...lines);
      this.place.replaceChildren(made("h2", ordago.say("The costliest choices")), list);
    }

    /** @param {Verdict} verdict @returns {HTMLElement[]} */
    line(verdict) {
      const moment = verdict.entry === undefined ? undefined : this.replay.moment(verdict.entry);
      if (moment === undefined) return [];
      const line = made("li", "");
      const cost = made("span", `−${amount(verdict)}`, { class: "cost" });
      line.append(made("a", `${moment.deal}: ${moment.step.told}`, { href: moment.address }), " ", cost);
      return [line];
    }

    /** Say what the house thinks of the step that is shown, if it was a choice. */
    judge() {
      const entry = this.step?.choice?.entry;
      const found = entry === undefined ? undefined : this.choices[entry];
      this.verdict.hidden = found === undefined;
      if (found === undefined) return;
      this.verdict.toggleAttribute("data-worse", Boolean(found.better && found.dear));
      this.verdict.textContent = judged(found);
    }
  }

  const address = document.body.dataset.analysis;
  if (address && ordago.replay) new Analysis(ordago.replay, address).begin();
})();
