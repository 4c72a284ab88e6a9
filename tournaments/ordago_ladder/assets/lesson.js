// @ts-check
// A lesson: a match that plays itself from one explanation to the next, and asks for some of its choices.
(() => {
  "use strict";

  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  /** A step can be read in this time, and seen to move. */
  const STEP_MS = 1100;

  /** @typedef {{action: number, amount?: number, cards?: number[]}} Answer */
  /** @typedef {{at: number, words: string, decision?: object, answer?: Answer}} Page */

  /** @param {string} id @returns {HTMLElement} */
  const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

  /** Say whether an answer is the one of the lesson. @param {Answer} one @param {Answer} other */
  const same = (one, other) =>
    one.action === other.action &&
    one.amount === other.amount &&
    String([...(one.cards ?? [])].sort()) === String([...(other.cards ?? [])].sort());

  class Lesson {
    /** @param {Match & {pages: Page[]}} lesson */
    constructor(lesson) {
      this.pages = lesson.pages;
      this.course = ordago.course(lesson);
      this.table = ordago.table(byId("play-table"), { faces: lesson.faces, seats: lesson.seats, root: "/", perspective: 0 });
      this.hand = ordago.hand(byId("play-table"), 0, {
        changed: () => this.bar.cards(),
        play: () => this.bar.playOnly(),
        enter: () => this.bar.enter(),
        confirms: () => false,
      });
      this.bar = ordago.bar(this.hand, (answer) => this.answer(answer));
      this.page = 0;
      this.at = 0;
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      this.timer = undefined;
      byId("lesson-next").addEventListener("click", () => this.next());
      byId("lesson-back").addEventListener("click", () => this.open(this.page - 1));
      document.addEventListener("keydown", (event) => this.pressed(event));
      addEventListener("hashchange", () => this.begin());
      this.begin();
    }

    /** Begin with the explanation that the address names. */
    begin() {
      this.open(Number(/^#([1-9]\d{0,3})$/.exec(location.hash)?.[1] ?? 1) - 1);
    }

    /** @param {KeyboardEvent} event */
    pressed(event) {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
      if (event.key === "ArrowRight") this.next();
      else if (event.key === "ArrowLeft") this.open(this.page - 1);
      else return;
      event.preventDefault();
    }

    /** Play on to the next explanation, or show it at once if the table is moving. */
    next() {
      if (this.timer !== undefined) return this.open(this.page);
      if (this.page + 1 === this.pages.length) return;
      this.bar.close();
      this.page += 1;
      byId("lesson-words").textContent = "";
      this.play();
      this.place();
    }

    /** Show one step after the other up to the explanation. */
    play() {
      const { at } = this.pages[this.page];
      if (this.at >= at) return this.open(this.page);
      this.show(this.at + 1);
      this.timer = setTimeout(() => this.play(), STEP_MS);
    }

    /** Show an explanation, and what can be chosen there. @param {number} page */
    open(page) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.page = Math.max(0, Math.min(this.pages.length - 1, page));
      const { at, words, decision } = this.pages[this.page];
      this.bar.close();
      if (at !== this.at || this.page === 0) this.show(at);
      byId("lesson-words").textContent = words;
      this.place();
      if (decision) this.bar.open(decision);
      else if (this.bar.keys) byId("lesson-next").focus();
    }

    /** Tell how far the lesson is. */
    place() {
      const { page, pages } = this;
      const [next, shown] = byId("lesson-next").children;
      const moving = this.timer !== undefined;
      const asks = !moving && pages[page].decision !== undefined;
      const over = !moving && page + 1 === pages.length;
      next.toggleAttribute("hidden", asks);
      shown.toggleAttribute("hidden", !asks);
      byId("lesson-place").textContent = ordago.say("{number} of {all}", { number: page + 1, all: pages.length });
      byId("lesson-back").toggleAttribute("disabled", page === 0);
      byId("lesson-next").toggleAttribute("hidden", over);
      byId("lesson-end").hidden = !over;
      history.replaceState(null, "", `#${page + 1}`);
    }

    /** @param {number} at */
    show(at) {
      this.at = at;
      const { told = "", actor = null } = this.course.step(at);
      this.table.show(this.course.scene(at), { actor, told });
      byId("lesson-told").textContent = told;
      this.hand.mark();
    }

    /** Say whether the lesson answers the same, and go on with its own answer. @param {Answer} answer */
    answer(answer) {
      const right = same(answer, /** @type {Answer} */ (this.pages[this.page].answer));
      this.next();
      const { told } = this.course.step(this.at);
      byId("lesson-told").textContent = right ? ordago.say("Right. {told}", { told }) : ordago.say("You could do that. In this lesson: {told}", { told });
    }
  }

  new Lesson(JSON.parse(byId("lesson").textContent ?? ""));
})();
