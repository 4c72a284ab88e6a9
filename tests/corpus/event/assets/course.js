// @ts-check
// A match as the steps of its replay: which there are, what lies on the table at each, and how moments are named.
(() => {
  "use strict";

  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  /** The steps of a match by their numbers, from 0 on through all deals. */
  class Course {
    /** @param {Match} match */
    constructor(match) {
      this.deals = match.deals;
      /** The number of the first step of each deal. @type {number[]} */
      this.starts = [];
      let steps = 0;
      for (const deal of this.deals) {
        this.starts.push(steps);
        steps += deal.steps.length;
      }
      this.last = steps - 1;
      /** @type {Map<number, number>} */
      this.choices = new Map();
      this.deals.forEach((deal, number) => {
        deal.steps.forEach(({ choice }, step) => choice && this.choices.set(choice.entry, this.starts[number] + step));
      });
      this.scenesOf = -1;
      /** What lies on the table at the steps of one deal, as far as they were looked at. @type {Scene[]} */
      this.scenes = [];
    }

    /** @param {number} at @returns {number} the deal that a step is of */
    deal(at) {
      let [low, high] = [0, this.starts.length - 1];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (this.starts[middle] <= at) low = middle;
        else high = middle - 1;
      }
      return low;
    }

    /** @param {number} at @returns {Step} */
    step(at) {
      const deal = this.deal(at);
      return this.deals[deal].steps[at - this.starts[deal]];
    }

    /** @param {number} at @returns {Scene} */
    scene(at) {
      const deal = this.deal(at);
      if (deal !== this.scenesOf) {
        this.scenesOf = deal;
        this.scenes = [this.deals[deal].scene];
      }
      const step = at - this.starts[deal];
      for (let next = this.scenes.length; next <= step; next += 1) {
        const { patch } = this.deals[deal].steps[next];
        this.scenes.push(patch ? ordago.patched(this.scenes[next - 1], patch) : this.scenes[next - 1]);
      }
      return this.scenes[step];
    }

    /** @param {number} at @returns {number} the nearest step there is */
    within(at) {
      return Math.max(0, Math.min(this.last, at));
    }

    /** @param {number} at @returns {boolean} whether a trick, a lance or whatever deals consist of begins here */
    begins(at) {
      return this.step(at).mark !== undefined || at === this.starts[this.deal(at)];
    }

    /** @param {number} at @param {1 | -1} way @returns {number} the next part, or the beginning of this one or the last */
    part(at, way) {
      let found = at + way;
      while (found > 0 && found < this.last && !this.begins(found)) found += way;
      return this.within(found);
    }

    /** @param {number} at @param {1 | -1} way @returns {number} the next deal, or the beginning of this one or the last */
    nextDeal(at, way) {
      const deal = this.deal(at);
      if (way > 0) return deal + 1 < this.starts.length ? this.starts[deal + 1] : this.last;
      return at > this.starts[deal] ? this.starts[deal] : this.starts[Math.max(0, deal - 1)];
    }

    /** @param {number} at @param {number | null} seat @returns {string} the name of a moment in addresses, from 1 on */
    address(at, seat) {
      const deal = this.deal(at);
      return `#d${deal + 1}s${at - this.starts[deal] + 1}${seat === null ? "" : `p${seat + 1}`}`;
    }

    /** @param {string} address @returns {{at: number, seat: number | null} | undefined} */
    moment(address) {
      const found = /^#d(\d{1,9})(?:s(\d{1,9}))?(?:p([1-9]))?$/.exec(address);
      if (!found) return undefined;
      const deal = Math.max(1, Math.min(this.deals.length, Number(found[1]))) - 1;
      const step = Math.max(1, Math.min(this.deals[deal].steps.length, Number(found[2] ?? 1))) - 1;
      return { at: this.starts[deal] + step, seat: found[3] ? Number(found[3]) - 1 : null };
    }
  }

  ordago.course = (match) => new Course(match);
})();
