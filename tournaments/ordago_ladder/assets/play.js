// @ts-check
// A match that a person plays: what he is told comes one after the other, what he answers goes to the server.
(() => {
  "use strict";

  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  const PACES = { none: 0, quick: 350, default: 900, slow: 1800 };
  /** The time to take a play back: as long as a slip needs to be seen. */
  const UNDO_MS = 2000;
  /** So much longer the last of a deal can be read before the next begins. */
  const AFTER_A_DEAL = 4;

  /** @param {string} id @returns {HTMLElement} */
  const byId = (id) => {
    const element = document.getElementById(`play-${id}`);
    if (element === null) throw new Error(`the page has no element ${id}`);
    return element;
  };

  /** Show what happens at the pace that a person follows. */
  class Course {
    /** @param {(message: {event: string, data: any}) => void} show */
    constructor(show) {
      this.show = show;
      /** @type {{event: string, data: any}[]} */
      this.waiting = [];
      this.running = false;
      this.seat = -1;
      this.begun = false;
      this.skip = () => {};
    }

    /** @param {string} event @param {any} data */
    add(event, data) {
      this.waiting.push({ event, data });
      if (!this.running) this.run();
    }

    async run() {
      this.running = true;
      for (let message = this.waiting.shift(); message !== undefined; message = this.waiting.shift()) {
        await this.rest(this.before(message));
        this.show(message);
        await this.rest(this.after(message));
      }
      this.running = false;
    }

    /** @param {{event: string, data: any}} message */
    before({ event, data }) {
      const next = event === "step" && data.section === "deal" && this.begun;
      if (event === "step") this.begun = true;
      return next ? pace() * AFTER_A_DEAL : 0;
    }

    /** @param {{event: string, data: any}} message */
    after({ event, data }) {
      if (event !== "step" || data.told === undefined) return 0;
      return data.seat === this.seat ? pace() / 3 : pace();
    }

    /** Wait for a while, or until somebody does not want to. @param {number} milliseconds */
    async rest(milliseconds) {
      if (milliseconds === 0 || document.hidden) return;
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.skip = () => {
          clearTimeout(timer);
          resolve(undefined);
        };
      });
      this.skip = () => {};
    }

    /** Show at once what waits. */
    hurry() {
      const hurried = this.waiting.splice(0);
      for (const message of hurried) this.show(message);
      this.skip();
    }
  }

  const paces = /** @type {HTMLSelectElement} */ (byId("pace"));
  const confirming = /** @type {HTMLInputElement} */ (byId("confirm"));
  const undoing = /** @type {HTMLInputElement} */ (byId("undoing"));
  const pace = () => PACES[/** @type {keyof typeof PACES} */ (paces.value)] ?? PACES.default;

  /** The lines that tell what happened. */
  class Log {
    constructor() {
      this.list = byId("told");
      /** Where the last of them can be read beside the hand. */
      this.latest = byId("latest");
    }

    clear() {
      this.list.replaceChildren();
    }

    /** @param {{told?: string, seat?: number, mark?: string, section?: string}} step */
    add({ told, mark, section }) {
      if (told === undefined) return;
      const line = document.createElement("li");
      if (mark !== undefined) {
        const title = document.createElement("b");
        title.textContent = mark;
        title.className = section ?? "";
        line.append(title, " ");
      }
      line.append(told);
      this.latest.textContent = told;
      this.list.append(line);
      const window = this.list.parentElement;
      if (window !== null) window.scrollTop = window.scrollHeight;
    }
  }

  /** A match in its page. */
  class Play {
    constructor() {
      this.page = JSON.parse(byId("page").textContent ?? "");
      const { faces, seats, seat } = this.page;
      /** Whether all others are house bots: people have no strength. */
      this.alone = seats.filter((/** @type {Player} */ player) => !player.version).length === 1;
      // Two rounds: so much happens at most between two turns where nothing pauses.
      this.table = ordago.table(byId("table"), { faces, seats, root: "/", perspective: seat, tells: 2 * seats.length });
      this.hand = ordago.hand(byId("table"), seat, {
        changed: () => this.bar.cards(),
        play: () => this.bar.playOnly(),
        enter: () => this.bar.enter(),
        confirms: () => confirming.checked,
      });
      this.bar = ordago.bar(this.hand, (answer) => this.answer(answer));
      this.log = new Log();
      this.course = new Course((message) => this.shown(message));
      this.course.seat = seat;
      /** @type {Scene | undefined} */
      this.scene = undefined;
      byId("hint").addEventListener("click", () => this.hint());
      byId("go-on").addEventListener("click", () => this.course.hurry());
      ordago.stream(`${this.page.place}/events`, {
        take: (event, data) => this.course.add(event, data),
        opened: () => this.problem(""),
        lost: (refused) => this.lost(refused),
      });
    }

    /** Say that nothing comes any more. @param {boolean} refused whether the server does not want to go on */
    lost(refused) {
      if (refused) this.problem(ordago.say("The server stopped showing this match. Reload the page."));
      else this.problem(ordago.say("Connection lost. Reconnecting …"));
    }

    /** @param {string} words */
    problem(words) {
      byId("refused").textContent = words;
    }

    /** @param {{event: string, data: any}} message */
    shown({ event, data }) {
      if (event === "scene") this.whole(data);
      else if (event === "step") this.step(data);
      else if (event === "decision") this.decide(data);
      else this.end(data);
      byId("go-on").hidden = this.course.waiting.length < 2;
    }

    /** @param {{scene: Scene, told: {told: string}[], actor: number | null}} whole */
    whole({ scene, told, actor }) {
      const known = this.log.list.childElementCount;
      this.log.clear();
      for (const line of told) this.log.add(line);
      this.course.begun = told.length > 0;
      this.scene = scene;
      this.draw(actor);
      // Who was away is told what he missed.
      if (known > 0) for (const { told: words } of told.slice(known)) this.table.tell(words);
    }

    /** @param {{patch: object, told?: string, actor: number | null}} step */
    step(step) {
      this.closeDecision();
      this.scene = ordago.patched(this.scene, step.patch);
      this.log.add(step);
      this.draw(step.actor, step.told);
      ordago.heard?.(step);
    }

    /** @param {number | null} actor @param {string} [told] */
    draw(actor, told) {
      if (this.scene === undefined) return;
      this.table.show(this.scene, { actor, told });
      this.hand.mark();
      const { seats, seat } = this.page;
      const whose = actor === null || actor === seat ? "" : ordago.say("Waiting for {name}.", { name: seats[actor].name });
      this.bar.say(whose);
    }

    /** @param {any} decision */
    decide(decision) {
      this.problem("");
      this.bar.open(decision);
      ordago.sound?.("turn");
      byId("hint").hidden = !this.alone;
    }

    /** Offer nothing any more: what was decided is past. */
    closeDecision() {
      this.bar.close();
      byId("hint").hidden = true;
      byId("advice").textContent = "";
    }

    /** Ask what the house would do at this decision. */
    async hint() {
      const number = this.bar.decision?.number;
      if (number === undefined) return;
      const found = await this.post(`hints/${number}`);
      if (this.bar.decision?.number === number && found) byId("advice").textContent = found.lines.join("\n");
    }

    /** Hold an answer back for a while; say whether it still holds then. Nothing that the server has can be undone. */
    held() {
      const undo = byId("undo");
      undo.hidden = false;
      if (this.bar.keys) undo.focus();
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(true), UNDO_MS);
        undo.onclick = () => resolve((clearTimeout(timer), false));
      }).finally(() => (undo.hidden = true));
    }

    /** Send an answer; what is wrong with it is said in words. @param {object} answer */
    async answer(answer) {
      this.problem("");
      const number = this.bar.decision?.number;
      const holds = !this.alone || !undoing.checked || (await this.held());
      if (number !== this.bar.decision?.number) return;
      if (!holds) this.hand.choose(new Set());
      if (!holds || (await this.post("answers", answer)) === undefined) this.bar.again();
    }

    /** Send something; return what is told, or nothing where it was refused, which is said in words.
     * @param {string} where @param {object} [what] */
    async post(where, what) {
      try {
        const response = await fetch(`${this.page.place}/${where}`, {
          method: "POST",
          headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRF-Token": this.page.csrf },
          body: JSON.stringify(what ?? {}),
        });
        const told = response.status === 204 ? {} : await response.json();
        if (response.ok) return told;
        this.problem(told.sentence ?? told.detail);
      } catch {
        this.problem(ordago.say("The server cannot be reached. Try again."));
      }
      return undefined;
    }

    /** @param {{sentence: string, scores?: number[], placings?: number[], secret?: string}} end */
    end({ sentence, scores, placings, secret }) {
      this.closeDecision();
      this.bar.say("");
      ordago.sound?.("end");
      byId("result").textContent = sentence;
      if (scores && placings) this.scores(scores, placings);
      byId("secret").textContent = secret ?? "";
      for (const element of document.querySelectorAll("[data-when]")) {
        const when = element.getAttribute("data-when");
        element.toggleAttribute("hidden", when === "played" || (when === "whole" && !secret));
      }
      byId("end").focus();
    }

    /** @param {number[]} scores @param {number[]} placings */
    scores(scores, placings) {
      const order = scores.map((_, seat) => seat).sort((one, other) => placings[one] - placings[other] || one - other);
      byId("scores").replaceChildren(
        ...order.map((seat) => {
          const row = document.createElement("tr");
          const head = document.createElement("th");
          head.scope = "row";
          head.textContent = this.page.seats[seat].name;
          row.append(cell(`${placings[seat]}.`), head, cell(String(scores[seat]).replace("-", "−")));
          row.toggleAttribute("data-own", seat === this.page.seat);
          return row;
        }),
      );
    }
  }

  /** @param {string} text */
  const cell = (text) => {
    const made = document.createElement("td");
    made.textContent = text;
    return made;
  };

  /** Keep what was set for the next match, where the browser keeps anything. */
  const remember = () => {
    // A finger hides the card that it touches.
    confirming.checked = matchMedia("(pointer: coarse)").matches;
    try {
      const kept = localStorage.getItem("ordago.pace");
      if (kept !== null && kept in PACES) paces.value = kept;
      paces.addEventListener("change", () => localStorage.setItem("ordago.pace", paces.value));
      confirming.checked = (localStorage.getItem("ordago.confirm") ?? String(confirming.checked)) === "true";
      confirming.addEventListener("change", () => localStorage.setItem("ordago.confirm", String(confirming.checked)));
      undoing.checked = localStorage.getItem("ordago.undo") === "true";
      undoing.addEventListener("change", () => localStorage.setItem("ordago.undo", String(undoing.checked)));
    } catch {
      // A browser that keeps nothing plays by the defaults.
    }
  };

  remember();
  new Play();
})();
