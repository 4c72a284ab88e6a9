// @ts-check
// The cards of a player's own hand as buttons: with a mouse, a finger, or keys.
(() => {
  "use strict";

  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

  class Hand {
    /**
     * @param {Element} table the table, which draws the cards
     * @param {number} seat
     * @param {{changed: () => void, play: () => boolean, enter: () => void, confirms: () => boolean}} told what is to be
     *   called when another choice of cards is made, to play what is chosen if it can mean one thing only, and when what
     *   is chosen is confirmed; and whether a first click only chooses
     */
    constructor(table, seat, told) {
      this.table = table;
      this.seat = seat;
      this.told = told;
      /** The cards that are chosen. @type {Set<number>} */
      this.chosen = new Set();
      /** @type {ReturnType<Ordago["offers"]> | undefined} */
      this.offers = undefined;
      /** The card that the keys are at. */
      this.at = 0;
      table.addEventListener("click", (event) => this.clicked(event));
      table.addEventListener("keydown", (event) => this.pressed(/** @type {KeyboardEvent} */ (event)));
      document.addEventListener("keydown", (event) => this.entering(event));
    }

    /** Let cards be chosen, or none. @param {ReturnType<Ordago["offers"]> | undefined} offers */
    offer(offers) {
      this.offers = offers;
      this.chosen = new Set();
      this.mark();
    }

    /** Choose these cards. @param {Set<number>} cards */
    choose(cards) {
      this.chosen = cards;
      this.mark();
      this.told.changed();
    }

    /** @returns {HTMLImageElement[]} */
    cards() {
      return [...this.table.querySelectorAll(`[data-seat="${this.seat}"] [data-zone="hand"] img.card`)].map(
        (card) => /** @type {HTMLImageElement} */ (card),
      );
    }

    /** Show which cards can be chosen, and which are. To be called when the table was drawn anew. */
    mark() {
      const cards = this.cards();
      for (const card of this.table.querySelectorAll("img[role=button]")) if (!this.open(cards, card)) release(card);
      if (this.offers === undefined || this.offers.cards.size === 0) return;
      if (!cards.some((card) => numberOf(card) === this.at)) this.at = this.first(cards);
      for (const card of cards) this.dress(card, numberOf(card), this.offers);
    }

    /** @param {Element[]} cards @param {Element} card */
    open(cards, card) {
      return this.offers !== undefined && this.offers.cards.size > 0 && cards.includes(card);
    }

    /** @param {HTMLImageElement[]} cards */
    first(cards) {
      const card = cards.find((each) => this.offers?.cards.has(numberOf(each))) ?? cards[0];
      return card ? numberOf(card) : 0;
    }

    /** @param {HTMLImageElement} card @param {number} number @param {ReturnType<Ordago["offers"]>} offers */
    dress(card, number, offers) {
      const can = offers.cards.has(number);
      card.setAttribute("role", "button");
      card.setAttribute("aria-pressed", String(this.chosen.has(number)));
      card.setAttribute("aria-disabled", String(!can));
      card.tabIndex = number === this.at ? 0 : -1;
      card.toggleAttribute("data-fits", can && (this.chosen.has(number) || offers.goesWith(this.chosen, number)));
    }

    /** Choose a card, or leave it. One that goes with none of those that are chosen stands for another choice.
     * @param {number} card */
    toggle(card) {
      if (!this.offers?.cards.has(card)) return;
      const chosen = new Set(this.chosen);
      if (chosen.has(card)) chosen.delete(card);
      else if (this.offers.goesWith(chosen, card)) chosen.add(card);
      else return this.choose(new Set([card]));
      this.choose(chosen);
    }

    /** @param {Event} event */
    clicked(event) {
      const card = this.cardOf(event);
      if (card === undefined) return;
      this.at = card;
      const confirms = this.told.confirms();
      if (confirms && this.chosen.has(card) && this.told.play()) return;
      this.toggle(card);
      if (!confirms) this.told.play();
    }

    /** Bring the keys to the hand by an arrow where they are nowhere. @param {KeyboardEvent} event */
    entering(event) {
      if (event.target !== document.body || !(event.key === "ArrowLeft" || event.key === "ArrowRight")) return;
      if (this.focus()) event.preventDefault();
    }

    /** @param {Event} event */
    cardOf(event) {
      const element = /** @type {Element} */ (event.target).closest("img[role=button]");
      return element ? numberOf(/** @type {HTMLImageElement} */ (element)) : undefined;
    }

    /** @param {KeyboardEvent} event */
    pressed(event) {
      const card = this.cardOf(event);
      if (card === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key in STEPS) this.go(STEPS[/** @type {keyof typeof STEPS} */ (event.key)]);
      else if (event.key === " ") this.toggle(card);
      else if (event.key === "Enter") this.entered(card);
      else return;
      event.preventDefault();
    }

    /** @param {number} card */
    entered(card) {
      if (this.chosen.size === 0) this.toggle(card);
      this.told.enter();
    }

    /** @param {number} step */
    go(step) {
      const numbers = this.cards().map(numberOf);
      this.at = numbers[(numbers.indexOf(this.at) + step + numbers.length) % numbers.length];
      this.mark();
      this.focus();
    }

    /** Bring the keys to the hand; say whether there is anything to choose in it. */
    focus() {
      const card = this.cards().find((each) => each.tabIndex === 0 && each.getAttribute("role") === "button");
      card?.focus({ preventScroll: true });
      return card !== undefined;
    }
  }

  /** @param {HTMLImageElement} card */
  const numberOf = (card) => Number(card.dataset.card);

  /** @param {Element} card */
  const release = (card) => {
    for (const name of ["role", "aria-pressed", "aria-disabled", "tabindex", "data-fits"]) card.removeAttribute(name);
  };

  ordago.hand = (table, seat, told) => new Hand(table, seat, told);
})();
