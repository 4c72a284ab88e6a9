// @ts-check
// Keeps the page of a table that waits for friends up to date, and goes to the match when it begins.
(() => {
  "use strict";

  /** A friend sits down once in a while: nobody notices a shorter delay. */
  const LOOK_MS = 2000;

  const look = async () => {
    if (!document.hidden) {
      const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
      if (answer?.redirected || answer?.status === 404) location.replace(answer.url);
      const page = new DOMParser().parseFromString((await answer?.text()) ?? "", "text/html");
      const [shown, seats] = [document, page].map((each) => each.getElementById("waiting-seats"));
      if (shown && seats && shown.textContent !== seats.textContent) shown.replaceChildren(...seats.childNodes);
    }
    setTimeout(look, LOOK_MS);
  };
  setTimeout(look, LOOK_MS);
})();
