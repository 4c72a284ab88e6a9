// @ts-check
// Keeps a page of a running event up to date at a site. From the disk it does nothing.
(() => {
  "use strict";

  /** How often the number of matches is asked for, and the page itself. */
  const COUNT_MS = 2000;
  const PAGE_MS = 10_000;

  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript);
  if (!script || !location.protocol.startsWith("http")) return;
  /** The longest pause where nobody plays, or the site does not answer. An organiser waits for bots to check in. */
  const MOST_MS = script.dataset.progress ? 5000 : 60_000;
  const progress = new URL(script.dataset.progress ?? "../progress.json", script.src);

  /** @param {string} id @param {Record<string, string>} values */
  const tell = (id, values) => {
    const element = document.getElementById(id);
    let text = element?.dataset.told ?? "";
    for (const [name, value] of Object.entries(values)) text = text.replace(`{${name}}`, value);
    if (element) element.textContent = text;
  };

  /** @param {number} seconds */
  const duration = (seconds) => {
    const minutes = Math.round(seconds / 60);
    if (seconds < 100) return `${Math.round(seconds)} s`;
    return minutes < 100 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
  };

  /** @type {{played?: number, planned?: number, left?: number}} */
  let count = {};

  const show = () => {
    const { played, planned, left } = count;
    const bar = document.querySelector(".progress progress");
    if (played === undefined || planned === undefined || !(bar instanceof HTMLProgressElement)) return;
    [bar.max, bar.value] = [planned, played];
    tell("played", { played: String(played), planned: String(planned) });
    if (left !== undefined) tell("left", { time: duration(left) });
  };

  /** @param {string | null} time */
  const date = (time) => {
    const at = new Date(time ?? Number.NaN);
    if (!Number.isNaN(at.getTime())) tell("changed", { time: at.toISOString().slice(11, 19) });
  };

  let known = "";

  /** Put in what a newer page shows, unless somebody is just using the old one. @param {string} html */
  const renew = (html) => {
    const main = document.querySelector("main");
    if (!main || main.querySelector(":focus-visible, .act[open]") || !document.getSelection()?.isCollapsed) return false;
    const places = [...main.querySelectorAll(".sheet")].map((box) => [box.scrollLeft, box.scrollTop]);
    const page = new DOMParser().parseFromString(html, "text/html");
    for (const part of ["main", ".top nav"]) {
      document.querySelector(part)?.replaceChildren(...(page.querySelector(part)?.childNodes ?? []));
    }
    [...main.querySelectorAll(".sheet")].forEach((box, place) => {
      [box.scrollLeft, box.scrollTop] = places[place] ?? [0, 0];
    });
    globalThis.ordago?.tables?.();
    return true;
  };

  /** @returns {Promise<boolean>} whether the event goes on */
  const askPage = async () => {
    const answer = await fetch(location.href, { cache: "no-cache" });
    if (!answer.ok) throw new Error(answer.statusText);
    const html = await answer.text();
    if (html !== known && renew(html)) known = html;
    if (html === known) date(answer.headers.get("last-modified"));
    show();
    return html !== known || html.includes('/progress.js"');
  };

  let [asked, pause, waiting, busy] = [0, COUNT_MS, 0, false];

  /** Ask, and again after a while: the longer, the longer nothing was to be told. */
  const turn = async () => {
    if (document.hidden || busy) return;
    busy = true;
    try {
      count = await (await fetch(progress, { cache: "no-cache" })).json();
      show();
      if (performance.now() - asked >= PAGE_MS || count.played === undefined) {
        asked = performance.now();
        if (!(await askPage())) return; // It is over, and stays busy.
      }
      pause = count.played === undefined ? Math.min(2 * pause, MOST_MS) : COUNT_MS;
    } catch {
      pause = Math.min(2 * pause, MOST_MS);
    }
    busy = false;
    waiting = setTimeout(turn, pause);
  };

  document.addEventListener("visibilitychange", () => {
    clearTimeout(waiting);
    turn();
  });
  turn();
})();
