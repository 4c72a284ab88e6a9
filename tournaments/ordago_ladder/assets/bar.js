// @ts-check
// What a player may do, below his hand: buttons, amounts, and what may be said along.
(() => {
  "use strict";

  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  /** More of what can be made of some cards is not shown at a time; all of it stands in the list. */
  const MOST_UNFINISHED = 6;

  /** @param {string} id @returns {HTMLElement} */
  const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(`play-${id}`));

  /** @param {string} tag @param {Record<string, string>} attributes @param {...(Node | string)} children */
  const made = (tag, attributes, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };

  class Bar {
    /** @param {ReturnType<Ordago["hand"]>} hand @param {(answer: object) => void} answer */
    constructor(hand, answer) {
      this.hand = hand;
      this.answer = answer;
      /** @type {any} */
      this.decision = undefined;
      /** @type {any} */
      this.offers = undefined;
      /** Whether an answer is on its way. */
      this.sent = false;
      /** Buttons by the letters that stand for them. @type {Map<string, HTMLElement>} */
      this.letters = new Map();
      /** Whether the last input was a key: only then is anything brought into focus. */
      this.keys = false;
      document.addEventListener("pointerdown", () => (this.keys = false), true);
      document.addEventListener("keydown", () => (this.keys = true), true);
      document.addEventListener("keydown", (event) => this.pressed(event));
    }

    /** Say whose turn it is. @param {string} words */
    say(words) {
      if (this.decision !== undefined) return;
      // It follows every play: a screen reader says the plays.
      byId("prompt").setAttribute("aria-live", "off");
      byId("prompt").textContent = words;
    }

    /** Offer what is legal. @param {any} decision */
    open(decision) {
      this.decision = decision;
      this.offers = ordago.offers(decision);
      this.hand.offer(this.offers);
      this.draw();
      byId("turn").toggleAttribute("data-own", true);
      if (document.activeElement === document.body || byId("turn").contains(document.activeElement)) this.focus();
    }

    /** Offer nothing. */
    close() {
      if (this.decision === undefined) return;
      this.decision = this.offers = undefined;
      this.waiting(false);
      this.letters.clear();
      this.hand.offer(undefined);
      byId("turn").toggleAttribute("data-own", false);
      for (const id of ["prompt", "chosen", "plain", "extras", "default", "all"]) byId(id).replaceChildren();
      byId("every").hidden = true;
    }

    /** Offer the same again: an answer was refused. */
    again() {
      if (this.decision === undefined) return;
      this.waiting(false);
      this.focus();
    }

    focus() {
      if (this.keys && !this.hand.focus()) byId("plain").querySelector("button")?.focus();
    }

    draw() {
      this.letters.clear();
      byId("plain").replaceChildren(...this.offers.plain.map((/** @type {Offer} */ offer) => this.offer(offer)));
      this.extras();
      this.usual();
      this.every();
      this.cards();
    }

    /** Show what the cards that are chosen can be played as. */
    cards() {
      if (this.offers === undefined) return;
      const { chosen } = this.hand;
      const ready = this.offers.ready(chosen);
      const unfinished = chosen.size ? this.offers.unfinished(chosen) : [];
      byId("chosen").replaceChildren(
        ...ready.map((/** @type {Offer} */ offer) => this.offer(offer, "ready")),
        ...unfinished.slice(0, MOST_UNFINISHED).map((/** @type {Offer} */ offer) => this.unfinished(offer)),
      );
      byId("prompt").setAttribute("aria-live", "polite");
      byId("prompt").textContent = this.prompt(chosen.size, ready.length);
    }

    /** @param {number} chosen @param {number} ready */
    prompt(chosen, ready) {
      if (this.offers.cards.size === 0) return ordago.say("Your turn.");
      if (chosen === 0) return this.offers.plain.length ? ordago.say("Your turn: choose cards, or press a button.") : ordago.say("Your turn: choose a card.");
      return ready ? ordago.say("Your turn: confirm your choice.") : ordago.say("Your turn: choose more cards to go with these.");
    }

    /** Play what was clicked, if it can mean one thing only, and say whether it can. */
    playOnly() {
      const only = this.offers?.only(this.hand.chosen);
      if (only !== undefined) this.take(only);
      return only !== undefined;
    }

    /** Play what is chosen, or let the keys choose among what it can mean. */
    enter() {
      const ready = this.offers?.ready(this.hand.chosen) ?? [];
      if (ready.length === 1 && ready[0].amount === undefined) this.take(ready[0]);
      else byId("chosen").querySelector("button")?.focus();
    }

    /** @param {any} offer @param {string} [kind] */
    offer(offer, kind = "") {
      const button = made("button", { type: "button", class: kind }, made("span", {}, offer.words));
      if (offer.action === this.decision.default.action) button.append(" ", made("small", {}, ordago.say("default")));
      if (kind === "") this.letter(button, offer.words);
      if (offer.amount === undefined) {
        button.addEventListener("click", () => this.take(offer));
        return button;
      }
      const amount = this.amount(offer);
      button.addEventListener("click", () => amount.reportValidity() && this.take(offer, amount.valueAsNumber));
      const { min, max } = offer.amount;
      return made("span", { class: "with-amount" }, button, amount, made("small", {}, ordago.say("{min} to {max}", { min, max })));
    }

    /** @param {any} offer @returns {HTMLInputElement} */
    amount(offer) {
      const { min, max } = offer.amount;
      const usual = offer.action === this.decision.default.action ? this.decision.default.amount : undefined;
      const value = String(usual ?? Math.max(min, Math.min(max, 0)));
      const name = ordago.say("{words}: a number from {min} to {max}", { words: offer.words, min, max });
      const attributes = { type: "number", min: String(min), max: String(max), step: "1", required: "", value, "aria-label": name, title: name };
      const input = /** @type {HTMLInputElement} */ (made("input", attributes));
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && input.reportValidity()) this.take(offer, input.valueAsNumber);
      });
      return input;
    }

    /** Give a button a letter of its words that none has yet. @param {HTMLElement} button @param {string} words */
    letter(button, words) {
      const plain = words.normalize("NFD").toLowerCase();
      const letter = [...plain].find((each) => /[a-z]/.test(each) && !this.letters.has(each));
      if (letter === undefined) return;
      this.letters.set(letter, button);
      button.setAttribute("aria-keyshortcuts", letter);
      button.append(" ", made("kbd", { "aria-hidden": "true" }, letter));
    }

    /** @param {any} offer */
    unfinished(offer) {
      const button = made("button", { type: "button", class: "unfinished" }, `${offer.words} …`);
      button.addEventListener("click", () => {
        this.hand.choose(this.offers.completed(offer, this.hand.chosen));
        this.hand.focus();
      });
      return button;
    }

    extras() {
      const { extras } = this.decision;
      if (extras === undefined) return byId("extras").replaceChildren();
      const choice = made("select", { id: "play-extra" }, made("option", { value: "" }, ordago.say("nothing")));
      for (const { extra, words } of extras) choice.append(made("option", { value: String(extra) }, words));
      byId("extras").replaceChildren(made("label", { for: "play-extra" }, ordago.say("Also")), " ", choice);
    }

    /** Offer the default answer. */
    usual() {
      const { words, ...answer } = this.decision.default;
      const button = made("button", { type: "button", class: "quiet" }, ordago.say("Default: {words}", { words }));
      button.addEventListener("click", () => this.send(answer));
      // One that is a button of its own is marked there.
      const marked = this.offers.plain.some((/** @type {Offer} */ offer) => offer.action === answer.action && offer.amount === undefined);
      byId("default").replaceChildren(...(answer.action === undefined || marked ? [] : [button]));
    }

    /** List all that can be done with cards, in words. */
    every() {
      const offers = this.offers.withCards;
      byId("every").hidden = offers.length === 0;
      byId("all").replaceChildren(
        ...offers.map((/** @type {Offer} */ offer) => {
          const button = made("button", { type: "button", class: "quiet" }, offer.words);
          button.addEventListener("click", () => {
            this.hand.choose(this.offers.completed(offer, new Set()));
            if (offer.picks === undefined && offer.amount === undefined) this.take(offer);
            else byId("chosen").querySelector("button")?.focus();
          });
          return made("li", {}, button);
        }),
      );
    }

    /** @param {any} offer @param {number} [amount] */
    take(offer, amount) {
      const cards = offer.picks === undefined ? [] : [...this.hand.chosen];
      this.send({ action: offer.action, ...(cards.length ? { cards } : {}), ...(amount === undefined ? {} : { amount }) });
    }

    /** @param {object} answer */
    send(answer) {
      if (this.decision === undefined || this.sent) return;
      const extra = /** @type {HTMLSelectElement | null} */ (document.getElementById("play-extra"))?.value;
      this.waiting(true);
      this.answer({ decision: this.decision.number, ...answer, ...(extra ? { extra: Number(extra) } : {}) });
    }

    /** @param {boolean} waits */
    waiting(waits) {
      this.sent = waits;
      byId("turn").toggleAttribute("data-waits", waits);
    }

    /** @param {KeyboardEvent} event */
    pressed(event) {
      const target = /** @type {Element} */ (event.target);
      if (event.ctrlKey || event.altKey || event.metaKey || target.closest("input, select, textarea, summary, a")) return;
      const button = this.letters.get(event.key.toLowerCase());
      if (button === undefined) return;
      button.click();
      event.preventDefault();
    }
  }

  ordago.bar = (hand, answer) => new Bar(hand, answer);
})();
