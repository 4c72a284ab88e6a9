// @ts-check
// What a person may do at a decision, and which of it some cards stand for. Nothing here touches the page.
(() => {
  "use strict";

  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  /**
   * @typedef {{cards: number[], min: number, max: number}} Pick
   * @typedef {{action: number, words: string, cards?: number[], amount?: {min: number, max: number}, picks?: Pick[]}} Offer
   * @typedef {{action?: number, amount?: number, cards?: number[], words: string}} DefaultAnswer
   * @typedef {{number: number, offers: Offer[], extras?: {extra: number, words: string}[], default: DefaultAnswer, idleSeconds: number}} Decision
   */

  /** Return the groups of cards that an offer is done with: none where it needs no card. @param {Offer} offer @returns {Pick[]} */
  const groupsOf = (offer) =>
    offer.picks ?? (offer.cards ? [{ cards: offer.cards, min: offer.cards.length, max: offer.cards.length }] : []);

  /** Return how some cards fit an offer: whether they belong to it, are enough for it, and whether more may be added.
   * @param {Offer} offer @param {ReadonlySet<number>} chosen */
  const fit = (offer, chosen) => {
    const groups = groupsOf(offer);
    const counts = groups.map((group) => group.cards.filter((card) => chosen.has(card)).length);
    const known = new Set(groups.flatMap((group) => group.cards));
    const belongs = [...chosen].every((card) => known.has(card)) && groups.every((group, at) => counts[at] <= group.max);
    return {
      belongs,
      enough: belongs && groups.every((group, at) => counts[at] >= group.min),
      more: belongs && groups.some((group, at) => counts[at] < group.max),
    };
  };

  /** What can be done at a decision, with the cards that were chosen so far. */
  class Offers {
    /** @param {Decision} decision */
    constructor(decision) {
      /** Those that need no card of the hand. */
      this.plain = decision.offers.filter((offer) => groupsOf(offer).length === 0);
      /** Those that need some. */
      this.withCards = decision.offers.filter((offer) => groupsOf(offer).length > 0);
      /** The cards that can be chosen at all. @type {ReadonlySet<number>} */
      this.cards = new Set(this.withCards.flatMap((offer) => groupsOf(offer).flatMap((group) => group.cards)));
    }

    /** Return the offers that some cards are enough for. @param {ReadonlySet<number>} chosen */
    ready(chosen) {
      return this.withCards.filter((offer) => fit(offer, chosen).enough);
    }

    /** Return the offers that need more than some cards. @param {ReadonlySet<number>} chosen */
    unfinished(chosen) {
      return this.withCards.filter((offer) => fit(offer, chosen).belongs && !fit(offer, chosen).enough);
    }

    /** Return the one offer that can be meant by some cards, if it is sure that no more will be chosen.
     * @param {ReadonlySet<number>} chosen */
    only(chosen) {
      const possible = this.withCards.filter((offer) => fit(offer, chosen).belongs);
      const [first] = possible;
      const sure = possible.length === 1 && fit(first, chosen).enough && !fit(first, chosen).more && !first.amount;
      return sure ? first : undefined;
    }

    /** Say whether a card can be chosen beside others. @param {ReadonlySet<number>} chosen @param {number} card */
    goesWith(chosen, card) {
      const together = new Set([...chosen, card]);
      return this.withCards.some((offer) => fit(offer, together).belongs);
    }

    /** Return the cards that were chosen, with as many more as an offer needs. @param {Offer} offer @param {ReadonlySet<number>} chosen */
    completed(offer, chosen) {
      const cards = new Set(chosen);
      for (const group of groupsOf(offer)) {
        const missing = group.min - group.cards.filter((card) => cards.has(card)).length;
        for (const card of group.cards.filter((each) => !cards.has(each)).slice(0, Math.max(0, missing))) cards.add(card);
      }
      return cards;
    }
  }

  ordago.offers = (decision) => new Offers(decision);
})();
