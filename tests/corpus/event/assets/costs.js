// @ts-check
// What the choices of an analysed match cost so far, above the slider of its replay: a line for each side, and marks.
(() => {
  "use strict";

  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  /** As many marks can be told apart on a phone, where each has some 30 pixels. */
  const MOST_MARKS = 12;
  /** So many of them, the costliest, have a sign of their own. */
  const WORST = 3;
  /** Values of hands say nothing of points or of winning, so that they are never added up. */
  const ADDS_UP_TO_NOTHING = "value of the hand";

  const DRAWN = ["svg", "line", "polyline"];

  /** @param {string} tag @param {Record<string, string | number>} attributes @param {...(Node | string)} children @returns {any} */
  const made = (tag, attributes, ...children) => {
    const element = DRAWN.includes(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.append(...children);
    return element;
  };

  /** @param {readonly CostlyStep[]} judged @returns {string} the unit of most choices */
  const commonUnit = (judged) => {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { unit } of judged) counts.set(unit, (counts.get(unit) ?? 0) + 1);
    counts.delete(ADDS_UP_TO_NOTHING);
    return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? "";
  };

  /** @param {readonly CostlyStep[]} judged those of one side @param {number} last @returns {[number, number][]} at each step of the line, the cost so far */
  const summed = (judged, last) => {
    let sum = 0;
    /** @type {[number, number][]} */
    const line = [[0, 0]];
    for (const { at, cost } of judged) line.push([at, sum], [at, (sum += cost)]);
    return [...line, [last, sum]];
  };

  /** @param {Replay} replay @param {readonly CostlyStep[]} judged */
  const linesOf = ({ seats, course }, judged) =>
    [...new Set(seats.map(({ side }) => side))].map((side, number) => {
      const own = seats.flatMap((seat, index) => (seat.side === side ? [index] : []));
      const points = summed(judged.filter(({ seat }) => own.includes(seat)), course.last);
      const [label, name] = [own.map((seat) => seat + 1).join("+"), own.map((seat) => seats[seat].name).join(", ")];
      return { number, label, name, points, cost: points[points.length - 1][1] };
    });

  /** @param {Replay} replay @param {CostlyStep} judged @param {number} rank @param {(verdict: Verdict) => string} amount */
  const mark = (replay, judged, rank, amount) => {
    const { address = "", deal = "", step } = replay.moment(judged.entry) ?? {};
    const words = `${deal}: ${step?.told} −${amount(judged)}`;
    const link = made("a", { href: address, title: words, "aria-label": words }, rank < WORST ? "◆" : "▾");
    link.style.left = `${(100 * judged.at) / replay.course.last}%`;
    // Of those that lie above each other the costliest is on top.
    link.style.zIndex = String(MOST_MARKS - rank);
    return link;
  };

  ordago.costs = (place, replay, choices, { unitName, amount }) => {
    const { last } = replay.course;
    const all = Object.entries(choices).flatMap(([entry, verdict]) => {
      const at = replay.course.choices.get(Number(entry));
      const seat = at === undefined ? undefined : replay.course.step(at).choice?.seat;
      return at === undefined || seat === undefined ? [] : [{ ...verdict, entry: Number(entry), at, seat }];
    });
    const unit = commonUnit(all);
    const judged = all.filter((each) => each.unit === unit).sort((one, other) => one.at - other.at);
    const dear = judged.filter((each) => each.dear).sort((one, other) => other.cost - one.cost).slice(0, MOST_MARKS);
    place.hidden = judged.length === 0;
    const marks = dear.map((each, rank) => ({ at: each.at, link: mark(replay, each, rank, amount) })).sort((one, other) => one.at - other.at);
    replay.mistakes(marks.map(({ at }) => at));

    const lines = linesOf(replay, judged);
    const costs = lines.flatMap(({ points }) => points.map(([, cost]) => cost));
    const [low, high] = [Math.min(...costs), Math.max(...costs)];
    const caption = ordago.say("Cost so far ({unit})", { unit: unitName(unit) });
    const told = lines.map(({ label, name, cost }) => `${label} ${name}: ${amount({ best: "", cost, unit })}`).join("; ");
    const cursor = made("line", { class: "cursor", y1: -high, y2: -low });
    const chart = made(
      "svg",
      { viewBox: `0 ${-high} ${last} ${high - low || 1}`, preserveAspectRatio: "none", role: "img", "aria-label": `${caption}. ${told}` },
      ...lines.map(({ number, points }) => made("polyline", { "data-line": number, points: points.map(([at, cost]) => `${at},${-cost}`).join(" ") })),
      cursor,
    );
    const legend = lines.map(({ number, label, name }) => {
      const sample = made("svg", { viewBox: "0 0 20 4", "aria-hidden": "true" }, made("polyline", { "data-line": number, points: "0,2 20,2" }));
      return made("bdi", { title: name }, sample, label, made("span", {}, ` ${name}`));
    });
    place.replaceChildren(
      made("p", {}, made("span", {}, caption), ...legend),
      made("div", { class: "plot" }, chart, ...marks.map(({ link }) => link)),
    );
    chart.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const box = chart.getBoundingClientRect();
      replay.go(Math.round((last * (event.clientX - box.left)) / box.width));
    });
    replay.watch((_step, at) => ["x1", "x2"].forEach((end) => cursor.setAttribute(end, String(at))));
  };
})();
