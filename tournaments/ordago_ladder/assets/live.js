// @ts-check
// Shows a match while it is played: a table, and what happened in words.
(() => {
  "use strict";

  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  const PACE_MS = 350;
  /** Who is so many steps behind is shown the rest at once. */
  const MOST_BEHIND = 24;
  const MOST_LINES = 500;
  const AGAIN_MS = 5000;
  /** So long the result stays before the next table: time to read it. */
  const NEXT_MS = 8000;
  /** The next page knows by its address that it is to go on too. */
  const FOLLOW = "#follow";

  const place = document.body.dataset.live;
  const state = document.getElementById("live-state");
  const told = document.getElementById("live-told");
  const element = document.getElementById("live-table");
  const after = document.getElementById("live-after");
  const scores = document.getElementById("live-scores");
  const next = /** @type {HTMLAnchorElement | null} */ (document.getElementById("live-next"));
  const follow = /** @type {HTMLInputElement | null} */ (document.getElementById("live-follow"));
  const log = told?.parentElement;
  if (!place || !state || !told || !log || !element || !after || !scores || !next || !follow) return;

  /** @type {any} */
  let table = null;
  /** @type {any} */
  let scene = null;
  /** @type {Player[]} */
  let seats = [];
  /** @type {any[]} */
  let waiting = [];
  /** @type {any} */
  let ending = null;
  let pacing = 0;
  /** The state while the match is received. */
  let live = "";

  /** @param {string} words */
  const say = (words) => {
    if (state.textContent !== words) state.textContent = words;
  };

  /** @param {{told?: string, mark?: string}} step */
  const tell = (step) => {
    if (!step.told) return;
    const line = document.createElement("li");
    if (step.mark) {
      const mark = document.createElement("strong");
      mark.textContent = `${step.mark} `;
      line.append(mark);
    }
    line.append(step.told);
    told.append(line);
    while (told.childElementCount > MOST_LINES) told.firstElementChild?.remove();
    log.scrollTop = log.scrollHeight;
  };

  /** @param {any} step */
  const take = (step) => {
    scene = ordago.patched(scene, step.patch);
    tell(step);
  };

  /** @param {{scores: number[], placings: number[]}} outcome @returns {HTMLElement[]} the seats, the first ones first */
  const ranked = ({ placings, scores }) =>
    seats
      .map(({ name }, seat) => {
        const line = document.createElement("li");
        const bot = document.createElement(placings[seat] === 1 ? "b" : "span");
        bot.textContent = name;
        bot.dir = "auto";
        line.value = placings[seat];
        line.append(bot, ` ${scores[seat]}`.replace("-", "−"));
        return line;
      })
      .sort((one, other) => one.value - other.value);

  /** Offer another table, and go on to it if that is wished. @param {boolean} due */
  const offer = async (due) => {
    const answer = document.hidden ? null : await fetch("/api/v1/matches?running=true&pageSize=20").catch(() => null);
    const { matches = [] } = answer?.ok ? await answer.json() : {};
    const other = matches.find((/** @type {any} */ match) => match.matchId !== document.body.dataset.match);
    if (other) {
      const names = other.seats.map((/** @type {Player} */ { name }) => name).join(", ");
      next.textContent = `${next.dataset.next} ${names}`;
      next.href = `/matches/${encodeURIComponent(other.matchId)}/watch${follow.checked ? FOLLOW : ""}`;
      if (due && follow.checked) return location.assign(next.href);
    }
    setTimeout(() => offer(true), NEXT_MS);
  };

  const finish = () => {
    ordago.sound?.("end");
    say(ending.void ? `${state.dataset.void} ${ending.void}` : (state.dataset.over ?? ""));
    scores.replaceChildren(...(ending.outcome ? ranked(ending.outcome) : []));
    after.hidden = false;
    offer(false);
  };

  const go = () => {
    pacing = 0;
    while (waiting.length > MOST_BEHIND) take(waiting.shift());
    const step = waiting.shift();
    if (step) {
      take(step);
      table.show(scene, { actor: null, told: step.told });
      ordago.heard?.(step);
      pacing = setTimeout(go, PACE_MS);
    } else if (ending) finish();
  };

  /** @param {any} whole */
  const begin = (whole) => {
    [scene, seats] = [whole.scene, whole.seats];
    waiting = [];
    if (!table) {
      table = ordago.table(element, { faces: whole.faces, root: "/", seats: whole.seats, perspective: null });
    }
    told.replaceChildren();
    whole.told.slice(-MOST_LINES).forEach(tell);
    table.show(scene, { actor: null });
    const late = whole.delaySeconds ? ` (${state.dataset.late} ${whole.delaySeconds})` : "";
    live = `${state.dataset.live}${late}`;
    say(live);
  };

  /** Connects again, or goes to where the match is shown if it has ended meanwhile. */
  const again = async () => {
    const answer = await fetch(location.href, { method: "HEAD" }).catch(() => null);
    if (answer?.redirected) location.replace(answer.url);
    else setTimeout(() => stream.listen(), AGAIN_MS);
  };

  /** @param {string} event @param {any} data */
  const hear = (event, data) => {
    if (event === "scene") return begin(data);
    if (event === "step") waiting.push(data);
    else ending = data;
    if (!pacing) go();
  };

  follow.checked = location.hash === FOLLOW;
  say(state.dataset.connecting ?? "");
  const stream = ordago.stream(place, {
    take: hear,
    opened: () => scene && say(live),
    lost: (refused) => {
      say(state.dataset.away ?? "");
      if (refused) again();
    },
  });
})();
