// @ts-check
// Listens to a match while it is played, by a new connection where the old one is dead.
(() => {
  "use strict";

  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  /** Twice the silence after which the server sends a beat, and some seconds for the way. */
  const SILENCE_MS = 35_000;

  class Stream {
    /** @param {string} place @param {StreamListener} listener */
    constructor(place, listener) {
      this.place = place;
      this.listener = listener;
      this.closed = false;
      /** @type {EventSource | undefined} */
      this.source = undefined;
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      this.silence = undefined;
      // Without a network a browser may give up, and listens again when it is back.
      addEventListener("offline", () => this.lost());
      addEventListener("online", () => this.listen());
      this.listen();
    }

    /** Follow the match from now on, by a new connection. */
    listen() {
      if (this.closed) return;
      this.source?.close();
      const source = (this.source = new EventSource(this.place));
      for (const event of ["scene", "step", "decision", "end"]) {
        source.addEventListener(event, (message) => {
          this.heard();
          if (event === "end") this.close();
          this.listener.take(event, JSON.parse(message.data));
        });
      }
      for (const event of ["open", "beat"]) source.addEventListener(event, () => this.heard());
      source.addEventListener("open", () => this.listener.opened());
      source.addEventListener("error", () => this.lost());
      this.heard();
    }

    /** Wait for the next message: a connection that is silent for too long is dead, even if the browser does not know. */
    heard() {
      clearTimeout(this.silence);
      this.silence = setTimeout(() => {
        this.lost();
        this.listen();
      }, SILENCE_MS);
    }

    lost() {
      if (this.closed) return;
      const refused = this.source?.readyState === EventSource.CLOSED && navigator.onLine;
      if (refused) clearTimeout(this.silence);
      this.listener.lost(refused);
    }

    close() {
      this.closed = true;
      this.source?.close();
      clearTimeout(this.silence);
    }
  }

  ordago.stream = (place, listener) => new Stream(place, listener);
})();
