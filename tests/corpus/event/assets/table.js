// @ts-check
// Draws scenes: seats around a table, with cards that are kept and moved.
(() => {
  "use strict";

  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  const UNSEEN = 0;
  const MOVE_MS = 200;
  /** Scenes that follow each other faster are not seen to move. */
  const QUICK_MS = 250;
  /** The signs of suits that a pack in four clear colours draws otherwise. */
  const RECOLOURED = /[♣♦♥ceb]$/;
  /** So long a screen reader speaks of a play at least. */
  const TELL_MS = 1000;
  /** Smaller cards than this part of the usual size cannot be read. */
  const LEAST_FIT = 0.3;

  /** @param {string} tag @param {Record<string, string>} [attributes] @param {...(Node | string)} children */
  const made = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };

  /** @param {Element} element @param {string} name @param {boolean} on */
  const flag = (element, name, on) => {
    if (element.hasAttribute(name) !== on) element.toggleAttribute(name, on);
  };

  /** Say how many cards lie where only the top one is seen.
   * @param {Element} element @param {number} number */
  const count = (element, number) => {
    if (number > 1) element.setAttribute("data-count", String(number));
    else element.removeAttribute("data-count");
  };

  /** The cards of a table as elements: one for each card that was seen, and some for those that are not. */
  class Pack {
    /** @param {TableOptions} options */
    constructor(options) {
      this.folder = options.pictures ?? `${options.root}assets/faces/${options.faces}/`;
      const four = document.documentElement.dataset.suits === "four";
      this.four = four ? this.folder.replace(/\/$/, "-four/") : this.folder;
      /** @type {Map<number, HTMLElement>} */
      this.known = new Map();
      /** @type {HTMLElement[]} */
      this.free = [];
    }

    /** Return the element of a card, which lies where it lay last.
     * @param {number} card @param {HTMLElement[]} unseen those that are not seen of the same place */
    element(card, unseen) {
      if (card === UNSEEN) return unseen.pop() ?? this.free.pop() ?? this.made();
      const found = this.known.get(card) ?? this.made();
      this.known.set(card, found);
      return found;
    }

    made() {
      const image = made("img", { class: "card", draggable: "false" });
      return made("li", {}, image);
    }

    /** Turn a card so that it shows this face.
     * @param {HTMLElement} element @param {number} face */
    turn(element, face) {
      const image = /** @type {HTMLImageElement} */ (element.firstElementChild);
      if (image.dataset.card === String(face)) return;
      image.dataset.card = String(face);
      image.src = `${RECOLOURED.test(ordago.cards?.[face]?.[0] ?? "") ? this.four : this.folder}${face === UNSEEN ? "back" : face}.svg`;
      image.alt = face === UNSEEN ? ordago.say("face-down card") : ordago.nameOf(face);
    }
  }

  /** Cards that lie together, with their title. */
  class Pile {
    /** @param {string} zone */
    constructor(zone) {
      this.title = made("span", { class: "title" });
      this.cards = made("ul", { class: "cards", role: "list" });
      this.element = made("div", { class: "group", "data-zone": zone }, this.title, this.cards);
      /** @type {HTMLElement[]} */
      this.unseen = [];
      /** @type {Group | undefined} */
      this.shown = undefined;
      /** @type {number | null} */
      this.eye = null;
    }

    /** @param {Group} group @param {Pack} pack @param {number | null} eye @param {string} owner */
    show(group, pack, eye, owner) {
      if (group === this.shown && eye === this.eye) return;
      [this.shown, this.eye] = [group, eye];
      const hidden = eye !== null && group.seenBy !== undefined && !((group.seenBy >> eye) & 1);
      this.lay(group, pack, hidden);
      this.label(group, owner);
    }

    /** @param {Group} group @param {Pack} pack @param {boolean} hidden */
    lay(group, pack, hidden) {
      const seen = group.stack ? group.cards.slice(-1) : group.cards;
      const spare = this.unseen;
      this.unseen = [];
      seen.forEach((card, place) => {
        const element = pack.element(card, spare);
        if (card === UNSEEN) this.unseen.push(element);
        pack.turn(element, hidden ? UNSEEN : card);
        flag(element, "data-marked", !hidden && Boolean(group.marked?.includes(card)));
        count(element, group.stack ? group.cards.length : 1);
        if (this.cards.children[place] !== element) this.cards.insertBefore(element, this.cards.children[place] ?? null);
      });
      pack.free.push(...spare);
      while (this.cards.children.length > seen.length) this.cards.lastElementChild?.remove();
    }

    /** @param {Group} group @param {string} owner */
    label(group, owner) {
      const number = group.cards.length;
      this.title.textContent = group.title ?? "";
      this.element.style.setProperty("--count", String(group.stack ? 1 : number));
      const many = group.stack ? ordago.say("cards: {number}", { number }) : "";
      this.cards.setAttribute("aria-label", [owner, group.title, many].filter(Boolean).join(", ") || ordago.say("cards"));
      flag(this.element, "data-stack", Boolean(group.stack));
      flag(this.element, "data-empty", number === 0);
    }
  }

  /** Groups under numbers, as scenes have them. */
  class Piles {
    /** @param {Element} element @param {string} zone */
    constructor(element, zone) {
      this.element = element;
      this.zone = zone;
      /** @type {Map<string, Pile>} */
      this.piles = new Map();
    }

    /** @param {{readonly [place: string]: Group}} groups @param {Pack} pack @param {number | null} eye @param {string} owner */
    show(groups, pack, eye, owner) {
      for (const [place, pile] of this.piles) {
        if (place in groups) continue;
        pile.element.remove();
        this.piles.delete(place);
      }
      for (const [place, group] of Object.entries(groups)) this.pile(place).show(group, pack, eye, owner);
    }

    /** @param {string} place */
    pile(place) {
      let pile = this.piles.get(place);
      if (pile === undefined) {
        pile = new Pile(this.zone);
        this.piles.set(place, pile);
        this.element.append(pile.element);
      }
      return pile;
    }
  }

  /** @param {string} value a whole number @returns {Node} stones that count five, and stones that count one */
  const stones = (value) => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < 0 || number > 200) return document.createTextNode(value);
    const all = made("span", { class: "stones", "aria-hidden": "true" });
    for (let five = 0; five < Math.floor(number / 5); five += 1) all.append(made("i", { class: "five" }));
    for (let one = 0; one < number % 5; one += 1) all.append(made("i", { class: "one" }));
    return made("span", {}, all, made("span", { class: "number" }, value));
  };

  /** @param {Element} list @param {readonly Figure[]} figures */
  const showFigures = (list, figures) => {
    list.replaceChildren(
      ...figures.map(({ title, value, stressed, kind }) => {
        const figure = made("div", {}, made("dt", {}, title), made("dd", {}, kind === "stones" ? stones(value) : value));
        flag(figure, "data-stressed", Boolean(stressed));
        return figure;
      }),
    );
  };

  /** A player with what lies at his place. */
  class Seat {
    /** @param {Player} player @param {number} number @param {number | undefined} side of those who have partners */
    constructor(player, number, side) {
      /** What he is called where he has to be told from others of his name. */
      this.called = ordago.say("seat {number}: {name}", { number: number + 1, name: player.name });
      this.hand = new Pile("hand");
      this.front = new Pile("front");
      this.piles = new Piles(made("div", { class: "piles" }), "pile");
      this.roles = made("span", { class: "roles" });
      this.figures = made("dl", { class: "known" });
      this.said = made("p", { class: "said" });
      const name = made("span", { class: "name" }, made("small", { class: "number" }, String(number + 1)), " ", made("bdi", {}, player.name));
      if (player.version) name.append(" ", made("small", {}, player.version));
      this.place = made(
        "div",
        { class: "place" },
        made("div", { class: "who" }, name, this.roles, this.figures),
        made("div", { class: "held" }, this.hand.element, this.piles.element),
      );
      this.laid = made("div", { class: "laid" }, made("span", { class: "whose" }, player.name), this.said, this.front.element);
      this.element = made("section", { "data-seat": String(number), "aria-label": this.called }, this.place, this.laid);
      if (side !== undefined) this.element.dataset.side = String(side);
      /** @type {SeatScene | undefined} */
      this.shown = undefined;
      /** @type {number | null} */
      this.eye = null;
    }

    /** @param {SeatScene} scene @param {Pack} pack @param {number | null} eye */
    show(scene, pack, eye) {
      if (scene === this.shown && eye === this.eye) return;
      const before = this.shown;
      [this.shown, this.eye] = [scene, eye];
      this.hand.show(scene.hand, pack, eye, ordago.say("hand of {name}", { name: this.called }));
      this.front.show(scene.front, pack, eye, ordago.say("in front of {name}", { name: this.called }));
      this.piles.show(scene.piles, pack, eye, this.called);
      this.said.textContent = scene.said;
      flag(this.laid, "data-empty", !scene.said && scene.front.cards.length === 0);
      if (scene.roles !== before?.roles) this.roles.replaceChildren(...scene.roles.map((role) => made("span", {}, role)));
      if (scene.figures !== before?.figures) showFigures(this.figures, scene.figures);
    }
  }

  /** A table in an element. */
  class DrawnTable {
    /** @param {Element} element @param {TableOptions} options */
    constructor(element, options) {
      this.element = element;
      this.pack = new Pack(options);
      this.eye = options.perspective ?? null;
      const partners = new Set(options.seats.map((player) => player.side)).size < options.seats.length;
      this.seats = options.seats.map((player, number) => new Seat(player, number, partners ? player.side : undefined));
      this.figures = made("dl", { class: "known common" });
      this.middle = new Piles(made("div", { class: "middle" }), "table");
      this.told = made("div", { class: "heard", "aria-live": "polite" });
      /** What was done, and is not told yet: the newest of it. @type {string[]} */
      this.untold = [];
      this.tells = options.tells ?? 1;
      this.toldAt = -Infinity;
      this.telling = 0;
      element.classList.add("table");
      element.setAttribute("data-seats", String(this.seats.length));
      const seats = this.seats.map((seat) => seat.element);
      this.around = made("div", { class: "around" }, this.figures, made("div", { class: "felt" }), this.middle.element, ...seats);
      element.replaceChildren(this.around, this.told);
      this.moves = new Moves(element);
      this.fitting = 1;
      new ResizeObserver(() => this.fit(Number(getComputedStyle(element).getPropertyValue("--fit")) || 1)).observe(element);
      this.arrange();
    }

    /** Make the cards as large as the room of the table lets them be, where the page gives it so much and no more.
     * @param {number} most */
    fit(most) {
      if (getComputedStyle(this.element).containerType !== "size") return;
      for (this.fitting = most; this.fitting > LEAST_FIT; this.fitting *= 0.95) {
        this.around.style.setProperty("--fit", String(this.fitting));
        if (this.element.scrollHeight <= this.element.clientHeight) return;
      }
    }

    /** Put the seat that looks to the bottom, and the others around the table. */
    arrange() {
      const bottom = this.eye ?? 0;
      this.seats.forEach((seat, number) => {
        seat.element.dataset.place = String((number - bottom + this.seats.length) % this.seats.length);
      });
      flag(this.element, "data-open", this.eye === null);
    }

    /** @param {Scene} scene @param {{actor?: number | null, told?: string}} now */
    show(scene, { actor = null, told } = {}) {
      this.moves.begin();
      this.draw(scene);
      this.seats.forEach((seat, number) => flag(seat.element, "data-actor", number === actor));
      this.fit(this.fitting);
      this.moves.end();
      if (told !== undefined) this.tell(told);
    }

    /** Let screen readers say what was just done, but not faster than they speak. @param {string} words */
    tell(words) {
      this.untold = [...this.untold, words].slice(-this.tells);
      if (this.telling) return;
      const rest = Math.max(0, this.toldAt + TELL_MS - performance.now());
      this.telling = setTimeout(() => this.tellNow(), rest);
    }

    tellNow() {
      this.toldAt = performance.now();
      this.telling = 0;
      this.told.replaceChildren(...this.untold.splice(0).map((words) => made("p", {}, words)));
    }

    /** @param {Scene} scene */
    draw(scene) {
      if (scene.figures !== this.scene?.figures) showFigures(this.figures, scene.figures);
      this.scene = scene;
      this.makeRoom(Object.values(scene.seats));
      this.middle.show(scene.table, this.pack, this.eye, "");
      this.seats.forEach((seat, number) => seat.show(scene.seats[number], this.pack, this.eye));
    }

    /** Keep room before the players once they lay cards there, or speak, so that the table does not jump.
     * @param {SeatScene[]} seats */
    makeRoom(seats) {
      if (seats.some(({ front }) => front.cards.length > 0)) flag(this.around, "data-laying", true);
      if (seats.some(({ said }) => said)) flag(this.around, "data-speaking", true);
    }

    /** @param {number | null} seat */
    perspective(seat) {
      if (seat === this.eye) return;
      this.eye = seat;
      this.arrange();
      if (this.scene) this.draw(this.scene);
    }
  }

  /** Lets cards be seen to move from where they lay to where they lie, unless scenes follow each other quickly. */
  class Moves {
    /** @param {Element} element */
    constructor(element) {
      this.element = element;
      this.calm = matchMedia("(prefers-reduced-motion: reduce)");
      this.last = -Infinity;
      /** @type {Map<Element, DOMRect>} */
      this.places = new Map();
    }

    begin() {
      const now = performance.now();
      const quick = now - this.last < QUICK_MS;
      this.last = now;
      this.places.clear();
      if (!quick && !this.calm.matches) for (const card of this.cards()) this.places.set(card, card.getBoundingClientRect());
      return quick;
    }

    end() {
      if (this.places.size === 0) return;
      for (const card of this.cards()) {
        const from = this.places.get(card) ?? this.hand(card);
        if (from === undefined) continue;
        const to = card.getBoundingClientRect();
        const [x, y] = [from.left - to.left, from.top - to.top];
        if (Math.hypot(x, y) > 2) this.move(card, `translate(${x}px, ${y}px)`);
      }
    }

    /** Return where a card comes from that was not seen before: the hand of whom it lies before.
     * @param {Element} card */
    hand(card) {
      const laid = card.closest('[data-zone="front"]') && card.closest("[data-seat]");
      return laid?.querySelector('[data-zone="hand"]')?.getBoundingClientRect();
    }

    cards() {
      return this.element.querySelectorAll(".cards > li");
    }

    /** @param {Element} card @param {string} from */
    move(card, from) {
      card.animate([{ transform: from }, { transform: "none" }], { duration: MOVE_MS, easing: "ease-out" });
    }
  }

  ordago.table = (element, options) => {
    const table = new DrawnTable(element, options);
    return { show: (scene, now) => table.show(scene, now), tell: (words) => table.tell(words), perspective: (seat) => table.perspective(seat) };
  };
})();
