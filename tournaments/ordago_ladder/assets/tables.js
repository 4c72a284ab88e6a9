// @ts-check
// Keeps small tables up to date while they are seen: one request for all of them.
(() => {
  "use strict";

  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  const PAUSE_MS = 2000;
  /** The longest pause where nothing moves, or the site does not answer. */
  const MOST_MS = 30_000;

  const list = /** @type {HTMLElement | null} */ (document.querySelector("[data-tables]"));
  if (!list) return;

  /** @typedef {{matchId: string, title?: string, faces: string, seats: Player[], scene?: Scene, told: string, end?: any}} Shown */

  /** A place for one match after the other. */
  class Place {
    constructor() {
      this.link = document.createElement("a");
      this.board = document.createElement("div");
      this.told = document.createElement("p");
      this.board.setAttribute("aria-hidden", "true");
      this.item = document.createElement("li");
      this.item.className = "sheet";
      this.item.append(this.link, this.board, this.told);
      this.match = "";
    }

    /** @param {Shown} shown */
    show(shown) {
      // What is not known yet, or cannot be watched now, stays as it is.
      if (!shown.scene) return;
      if (shown.matchId !== this.match) this.begin(shown);
      this.table?.show(shown.scene, {});
      const words = shown.end ? result(shown) : shown.told;
      if (this.told.textContent !== words) this.told.textContent = words;
    }

    /** @param {Shown} shown */
    begin({ matchId, title = "", faces, seats }) {
      this.match = matchId;
      this.board.replaceWith((this.board = /** @type {HTMLDivElement} */ (this.board.cloneNode(false))));
      this.table = ordago.table(this.board, { faces, root: "/", seats: seats.map(({ name, side }) => ({ name, side })) });
      this.link.href = `/matches/${encodeURIComponent(matchId)}/watch`;
      const [game, names] = [document.createElement("strong"), document.createElement("bdi")];
      [game.textContent, names.textContent] = [title, seats.map(({ name }) => name).join(", ")];
      this.link.replaceChildren(game, " ", names);
    }
  }

  /** @param {Shown} shown */
  const result = ({ seats, end }) =>
    end.outcome ? seats.map(({ name }, seat) => `${name} ${String(end.outcome.scores[seat]).replace("-", "−")}`).join(", ") : `${list.dataset.void} ${end.void}`;

  /** @type {Place[]} */
  const places = [];

  /** @param {Shown[]} tables */
  const show = (tables) => {
    tables.forEach((shown, number) => {
      if (!places[number] && shown.scene) {
        places[number] = new Place();
        const before = list.children[number];
        if (before) before.replaceWith(places[number].item);
        else list.append(places[number].item);
      }
      places[number]?.show(shown);
    });
  };

  let [seen, busy, waiting, pause, known] = [false, false, 0, PAUSE_MS, ""];

  const turn = async () => {
    clearTimeout(waiting);
    if (busy || !seen || document.hidden) return;
    busy = true;
    try {
      const answer = await fetch(list.dataset.tables ?? "", { cache: "no-cache" });
      const text = answer.ok ? await answer.text() : known;
      pause = text === known ? Math.min(2 * pause, MOST_MS) : PAUSE_MS;
      if (text !== known) show(JSON.parse((known = text)).tables);
    } catch {
      pause = Math.min(2 * pause, MOST_MS);
    }
    busy = false;
    waiting = setTimeout(turn, pause);
  };

  document.addEventListener("visibilitychange", turn);
  new IntersectionObserver((entries) => {
    seen = entries.some(({ isIntersecting }) => isIntersecting);
    turn();
  }).observe(list);
})();
