// @ts-check
// The player of a match: the table, the words beside it, and all that leads to another moment.
(() => {
  "use strict";

  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  /** Browsers take it ill when the address changes much more often. */
  const SETTLED_MS = 300;

  /** @template {HTMLElement} E @param {string} name @returns {E} the part of the page with this name */
  const part = (name) => {
    const found = document.querySelector(`[data-part="${name}"]`);
    if (!found) throw new Error(`the page has no part ${name}`);
    return /** @type {E} */ (found);
  };

  /** @param {string} tag @param {string} text @param {Record<string, string>} [attributes] */
  const made = (tag, text, attributes = {}) => {
    const element = document.createElement(tag);
    element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };

  /** @param {number} milliseconds */
  const time = (milliseconds) =>
    milliseconds < 1000
      ? ordago.say("{number} ms", { number: milliseconds })
      : ordago.say("{number} s", { number: (milliseconds / 1000).toFixed(1) });

  /** @param {string} fault */
  const faultWords = (fault) => fault.replace(/^FAULT_/, "").toLowerCase().replaceAll("_", " ");

  /** Return how a choice was made: how long it took, and what was wrong with it.
   * @param {Choice} choice @returns {HTMLElement[]} */
  const notes = (choice) => {
    const found = [made("span", time(choice.chargedMs), { class: "time" })];
    if (choice.strikes) {
      const { strikes } = choice;
      const words = strikes === 1 ? ordago.say("1 strike") : ordago.say("{number} strikes", { number: strikes });
      found.push(made("span", words, { class: "fault" }));
    }
    if (choice.fault) found.push(made("span", faultWords(choice.fault), { class: "fault" }));
    return found;
  };

  /** The words of the deal that is shown; each line leads to its moment. */
  class Words {
    /** @param {Course} course */
    constructor(course) {
      this.course = course;
      this.list = part("words");
      this.parts = part("parts");
      this.deal = -1;
      /** @type {number | null} */
      this.seat = null;
      /** @type {HTMLElement[]} */
      this.lines = [];
      /** The line of the step that is shown. @type {HTMLElement | undefined} */
      this.shown = undefined;
      /** The part that is shown. @type {{step: number, link: HTMLElement} | undefined} */
      this.now = undefined;
      /** The parts of the deal, each with the step with which it begins. @type {{step: number, link: HTMLElement}[]} */
      this.marks = [];
    }

    /** @param {number} at @param {number | null} seat */
    show(at, seat) {
      const deal = this.course.deal(at);
      if (deal !== this.deal || seat !== this.seat) this.begin(deal, seat);
      const step = at - this.course.starts[deal];
      this.mark(this.lines[step]);
      this.markPart(step);
    }

    /** @param {number} deal @param {number | null} seat */
    begin(deal, seat) {
      [this.deal, this.seat] = [deal, seat];
      const { steps } = this.course.deals[deal];
      const address = (/** @type {number} */ step) => this.course.address(this.course.starts[deal] + step, seat);
      this.lines = steps.map((step, number) => this.line(step, address(number)));
      this.list.replaceChildren(...this.lines);
      this.marks = [];
      steps.forEach(({ mark }, step) => {
        if (mark !== undefined) this.marks.push({ step, link: made("a", mark, { href: address(step) }) });
      });
      this.parts.replaceChildren(...this.marks.map(({ link }) => link));
      this.shown = this.now = undefined;
    }

    /** @param {Step} step @param {string} address */
    line(step, address) {
      const line = document.createElement("li");
      if (step.mark !== undefined) line.append(made("span", step.mark, { class: "mark" }));
      line.append(made("a", step.told, { href: address }));
      if (step.choice) line.append(...notes(step.choice));
      return line;
    }

    /** @param {HTMLElement} line */
    mark(line) {
      this.shown?.removeAttribute("aria-current");
      line.setAttribute("aria-current", "step");
      this.shown = line;
      this.list.scrollTop = line.offsetTop - this.list.clientHeight / 2;
    }

    /** @param {number} step */
    markPart(step) {
      const now = this.marks.findLast((mark) => mark.step <= step);
      if (now === this.now) return;
      this.now?.link.removeAttribute("aria-current");
      now?.link.setAttribute("aria-current", "step");
      this.now = now;
      if (now) this.parts.scrollLeft = now.link.offsetLeft - this.parts.clientWidth / 2;
    }
  }

  /** Goes on by itself, so many steps a second. */
  class Motion {
    /** @param {(steps: number) => boolean} forward goes on, and says whether there is more @param {(on: boolean) => void} changed */
    constructor(forward, changed) {
      this.forward = forward;
      this.changed = changed;
      this.speed = 1;
      this.on = false;
    }

    /** @param {boolean} on */
    turn(on) {
      if (on === this.on) return;
      this.on = on;
      this.changed(on);
      if (on) requestAnimationFrame((now) => this.frame(now, now, 0));
    }

    /** @param {number} now @param {number} before the time of the last frame @param {number} due what of a step is due */
    frame(now, before, due) {
      if (!this.on) return;
      // A window that was out of sight goes on where it was; rounding must not leave a frame out.
      const steps = due + Math.min((now - before) / 1000, 1) * this.speed + 1e-3;
      const whole = Math.floor(steps);
      if (whole > 0 && !this.forward(whole)) return this.turn(false);
      requestAnimationFrame((next) => this.frame(next, now, steps - whole));
    }
  }

  /** The replay of the page. */
  class Player {
    /** @param {Match} match @param {string} pictures the folder of the faces of its cards */
    constructor(match, pictures) {
      this.match = match;
      this.course = ordago.course(match);
      this.table = ordago.table(part("table"), { faces: match.faces, root: "", pictures, seats: match.seats });
      this.words = new Words(this.course);
      this.motion = new Motion((steps) => this.forward(steps), (on) => this.moving(on));
      this.at = 0;
      /** The step that was told last: another view of it is no news. */
      this.told = -1;
      /** @type {number | null} */
      this.seat = null;
      /** The steps of costly choices, in order. @type {readonly number[]} */
      this.mistakes = [];
      /** @type {((step: Step, at: number) => void)[]} */
      this.watchers = [];
      this.slider = /** @type {HTMLInputElement} */ (part("slider"));
      this.deals = /** @type {HTMLSelectElement} */ (part("deals"));
      this.now = part("now");
    }

    begin() {
      this.slider.max = String(this.course.last);
      this.deals.replaceChildren(...this.course.deals.map((deal, number) => made("option", deal.title, { value: String(number) })));
      this.listen();
      this.goToAddress();
    }

    listen() {
      const steps = this.steps();
      document.addEventListener("click", (event) => {
        const button = event.target instanceof Element ? event.target.closest("button") : null;
        const step = button?.dataset.step;
        if (step !== undefined) this.pausedAt(steps[step]());
        if (button?.dataset.look !== undefined) this.look(button.dataset.look === "" ? null : Number(button.dataset.look));
      });
      this.slider.addEventListener("input", () => this.pausedAt(Number(this.slider.value)));
      this.deals.addEventListener("change", () => this.jump(this.course.starts[Number(this.deals.value)]));
      const speed = /** @type {HTMLSelectElement} */ (part("speed"));
      this.motion.speed = Number(speed.value);
      speed.addEventListener("change", () => (this.motion.speed = Number(speed.value)));
      part("play").addEventListener("click", () => this.play());
      // Before the address is shared, also while the match plays by itself.
      document.querySelector("[data-share]")?.addEventListener("click", () => this.settleNow(), true);
      part("help").addEventListener("click", () => this.help());
      part("close").addEventListener("click", () => /** @type {HTMLDialogElement} */ (part("keys")).close());
      addEventListener("hashchange", () => this.goToAddress());
      document.addEventListener("keydown", (event) => this.key(event, steps));
    }

    /** The ways to other steps, by their names. @returns {Record<string, () => number>} */
    steps() {
      const { course } = this;
      return {
        first: () => 0,
        "deal-back": () => course.nextDeal(this.at, -1),
        "part-back": () => course.part(this.at, -1),
        back: () => this.at - 1,
        on: () => this.at + 1,
        "part-on": () => course.part(this.at, 1),
        "deal-on": () => course.nextDeal(this.at, 1),
        last: () => course.last,
        "mistake-back": () => this.mistakes.findLast((at) => at < this.at) ?? this.at,
        "mistake-on": () => this.mistakes.find((at) => at > this.at) ?? this.at,
      };
    }

    /** @param {KeyboardEvent} event @param {Record<string, () => number>} steps */
    key(event, steps) {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      const target = event.target instanceof HTMLElement ? event.target : document.body;
      if (target.matches("input, select, textarea") || target.closest("dialog")) return;
      const step = KEYS[`${event.shiftKey ? "Shift+" : ""}${event.key}`];
      if (step) this.pausedAt(steps[step]());
      else if (event.key === " " && !target.matches("button, a, summary")) this.play();
      else if (event.key === "?") this.help();
      else if (/^[0-9]$/.test(event.key) && Number(event.key) <= this.match.seats.length) this.look(Number(event.key) - 1);
      else return;
      event.preventDefault();
    }

    play() {
      if (!this.motion.on && this.at === this.course.last) this.show(0);
      this.motion.turn(!this.motion.on);
    }

    /** @param {boolean} on */
    moving(on) {
      part("play").toggleAttribute("data-on", on);
      if (!on) this.settle();
    }

    /** @param {number} steps @returns {boolean} */
    forward(steps) {
      this.show(this.at + steps);
      if (this.at === this.course.last) ordago.sound?.("end");
      return this.at < this.course.last;
    }

    /** @param {number} at */
    pausedAt(at) {
      this.motion.turn(false);
      this.show(at);
      this.settle();
    }

    /** Go to a moment so that the browser's way back leads here.
     * @param {number} at */
    jump(at) {
      this.motion.turn(false);
      this.settleNow();
      location.hash = this.course.address(at, this.seat);
    }

    /** @param {number | null} seat */
    look(seat) {
      this.seat = seat !== null && seat >= 0 && seat < this.match.seats.length ? seat : null;
      this.table.perspective(this.seat);
      for (const button of document.querySelectorAll("[data-look]")) {
        const looks = /** @type {HTMLElement} */ (button).dataset.look === (this.seat === null ? "" : String(this.seat));
        button.setAttribute("aria-pressed", String(looks));
      }
      this.show(this.at);
      this.settle();
    }

    goToAddress() {
      const moment = this.course.moment(location.hash) ?? { at: 0, seat: null };
      clearTimeout(this.settling);
      this.motion.turn(false);
      this.at = moment.at;
      this.look(moment.seat);
    }

    /** @param {number} at */
    show(at) {
      const before = this.told;
      this.told = this.at = this.course.within(at);
      const step = this.course.step(this.at);
      const deal = this.course.deal(this.at);
      this.table.show(this.course.scene(this.at), { actor: step.seat ?? null, told: before === this.at ? undefined : step.told });
      this.words.show(this.at, this.seat);
      this.slider.value = String(this.at);
      // To set it looks through all of them.
      if (this.deals.selectedIndex !== deal) this.deals.selectedIndex = deal;
      this.tell(step, deal);
      for (const shown of this.watchers) shown(step, this.at);
    }

    /** @param {Step} step @param {number} deal */
    tell(step, deal) {
      const [number, all] = [this.at - this.course.starts[deal] + 1, this.course.deals[deal].steps.length];
      const { title } = this.course.deals[deal];
      this.slider.setAttribute("aria-valuetext", ordago.say("{deal}, step {number} of {all}", { deal: title, number, all }));
      this.now.replaceChildren(made("b", step.told), ...(step.choice ? notes(step.choice) : []));
    }

    /** Let the address follow once nothing moves. */
    settle() {
      clearTimeout(this.settling);
      this.settling = setTimeout(() => this.motion.on || this.settleNow(), SETTLED_MS);
    }

    settleNow() {
      clearTimeout(this.settling);
      history.replaceState(null, "", this.course.address(this.at, this.seat));
    }

    help() {
      /** @type {HTMLDialogElement} */ (part("keys")).showModal();
    }
  }

  /** What keys do, as `steps` calls it. @type {Record<string, string>} */
  const KEYS = {
    ArrowLeft: "back",
    ArrowRight: "on",
    "Shift+ArrowLeft": "part-back",
    "Shift+ArrowRight": "part-on",
    PageUp: "deal-back",
    PageDown: "deal-on",
    Home: "first",
    End: "last",
    m: "mistake-on",
    "Shift+M": "mistake-back",
  };

  const begin = () => {
    const data = document.getElementById("match");
    if (!data) return;
    const replay = part("replay");
    const player = new Player(JSON.parse(data.textContent ?? ""), replay.dataset.pictures ?? "");
    data.remove();
    replay.hidden = false;
    player.begin();
    part("whole").removeAttribute("open");
    const { course } = player;
    ordago.replay = {
      watch(shown) {
        player.watchers.push(shown);
        shown(course.step(player.at), player.at);
      },
      course,
      seats: player.match.seats,
      go: (at) => player.pausedAt(at),
      mistakes: (steps) => (player.mistakes = steps),
      moment(entry) {
        const at = course.choices.get(entry);
        if (at === undefined) return undefined;
        return { address: course.address(at, null), deal: course.deals[course.deal(at)].title, step: course.step(at) };
      },
    };
  };

  begin();
})();
