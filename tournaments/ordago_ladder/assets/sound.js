// @ts-check
// Short sounds, made of a few numbers. Nothing is heard before the visitor has switched them on.
(() => {
  "use strict";

  const ordago = (globalThis.ordago ??= /** @type {Ordago} */ ({}));

  const KEPT = "ordago.sound";
  /** Tones in hertz, one after the other, and the seconds in which each fades: a knock, and two short calls. */
  const SOUNDS = { card: { tones: [190], fades: 0.07 }, turn: { tones: [660, 880], fades: 0.2 }, end: { tones: [523, 659, 784], fades: 0.4 } };
  const TONE_SECONDS = 0.12;
  /** Cards that follow each other faster are heard as one. */
  const LEAST_SECONDS = 0.08;
  const VOLUME = 0.15;

  const box = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-sound]"));
  /** @type {AudioContext | undefined} */
  let audio;
  let last = -1;

  /** @param {AudioContext} to @param {number} hertz @param {number} at @param {number} fades */
  const tone = (to, hertz, at, fades) => {
    const [source, volume] = [new OscillatorNode(to, { type: "triangle", frequency: hertz }), new GainNode(to)];
    volume.gain.setValueAtTime(VOLUME, at);
    volume.gain.exponentialRampToValueAtTime(VOLUME / 100, at + fades);
    source.connect(volume).connect(to.destination);
    source.start(at);
    source.stop(at + fades);
  };

  ordago.sound = (name) => {
    // Before a click or a key browsers let no page sound, and complain of it.
    if (!box?.checked || document.hidden || !navigator.userActivation?.hasBeenActive) return;
    audio ??= new AudioContext();
    audio.resume();
    const { tones, fades } = SOUNDS[name];
    const now = audio.currentTime;
    if (name === "card" && now < last + LEAST_SECONDS) return;
    last = now;
    for (const [number, hertz] of tones.entries()) tone(audio, hertz, now + number * TONE_SECONDS, fades);
  };

  ordago.heard = ({ patch }) => {
    const { seats = {}, table = {} } = /** @type {any} */ (patch ?? {});
    const groups = [...Object.values(seats).map((seat) => seat?.front), ...Object.values(table)];
    if (groups.some((group) => group?.cards?.length)) ordago.sound?.("card");
  };

  try {
    if (box) box.checked = localStorage.getItem(KEPT) === "true";
    box?.addEventListener("change", () => localStorage.setItem(KEPT, String(box.checked)));
  } catch {
    // A browser that keeps nothing is silent at first, each time.
  }
  box?.addEventListener("change", () => ordago.sound?.("card"));
  ordago.replay?.watch(ordago.heard);
})();
