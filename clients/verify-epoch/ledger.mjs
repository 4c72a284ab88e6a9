// The ledger of an epoch, by docs/proof.md and docs/standing-ladder/deals.md: a chain of lines, and what they tell.

import { sha256 } from "./deals.mjs";

/** Return JSON as a ledger writes it: keys ascending, no spaces, ASCII. */
export function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const members = Object.keys(value).sort().map((key) => `${written(key)}:${written(value[key])}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Return the entries of a ledger. Throws an Error that names the first line that is none. */
export function readLedger(text) {
  const lines = text.split("\n");
  if (lines.pop() !== "") throw new Error("the last line is not whole");
  let before = "0".repeat(64);
  return lines.map((line, index) => {
    const entry = parsed(line);
    if (entry === null || written(entry) !== line) throw new Error(`line ${index + 1} is not written as a ledger does`);
    if (entry.index !== index || entry.before !== before) {
      throw new Error(`line ${index + 1} does not follow from the one before`);
    }
    before = sha256(line).toString("hex");
    return entry;
  });
}

/** Return the SHA-256 of a line, in hexadecimal: the head of the ledger when it had so many lines. */
export function headAt(text, length) {
  const line = text.split("\n")[length - 1];
  return line === undefined ? "" : sha256(line).toString("hex");
}

function parsed(line) {
  try {
    const value = JSON.parse(line);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** What a ledger tells, held against itself while it is read. */
export class Course {
  constructor() {
    this.begin = null;
    this.end = null;
    this.players = new Map();
    this.seatings = new Map();
    this.results = new Map();
    this.voids = new Map();
    this.time = 0;
  }

  /** Yield what is wrong with the order of some entries. */
  *problems(entries) {
    for (const entry of entries) {
      for (const sentence of this.#next(entry)) yield `entry ${entry.index}: ${sentence}`;
    }
    if (this.begin === null) yield "The ledger does not begin with the beginning of an epoch.";
  }

  *#next(entry) {
    if (this.end !== null) yield "The epoch was over before this entry.";
    if ((entry.kind === "begin") !== (entry.index === 0)) yield "An epoch begins once, and with its first entry.";
    switch (entry.kind) {
      case "begin":
        this.begin = entry;
        this.time = entry.began;
        if ((entry.epoch === 1) !== (entry.previous === null)) yield "All but the first epoch name the head before.";
        if (!/^([a-z0-9][a-z0-9-]{0,63})?$/.test(entry.season)) yield "A season has no such name.";
        break;
      case "player":
        if (this.players.has(entry.player)) yield `Player ${entry.player} comes in twice.`;
        this.players.set(entry.player, entry);
        break;
      case "seating":
      case "unrated":
        yield* this.#seated(entry);
        break;
      case "result":
        if (!(entry.ended >= this.time)) yield `Match ${entry.match_id} ended before something that was told earlier.`;
        this.time = Math.max(this.time, entry.ended);
        yield* this.#over(entry, this.results);
        break;
      case "void":
        yield* this.#over(entry, this.voids);
        break;
      case "end":
        this.end = entry;
        break;
      default:
        yield "There is no entry of this kind.";
    }
  }

  *#seated(entry) {
    if (entry.number !== this.seatings.size) yield `Match ${entry.number} is not the next, ${this.seatings.size}.`;
    if (this.seatings.has(entry.match_id)) yield `Match ${entry.match_id} is seated twice.`;
    this.seatings.set(entry.match_id, entry);
    const seated = entry.seats.map((seat) => this.players.get(seat.player));
    if (seated.includes(undefined)) {
      yield `Somebody is seated at match ${entry.number} before he came in.`;
      return;
    }
    const accounts = seated.map((player) => player.account).filter((account) => account !== "");
    if (new Set(seated.map((player) => player.name)).size < seated.length) yield "Somebody sits twice at a table.";
    const rated = entry.kind === "seating";
    if (rated && new Set(accounts).size < accounts.length) yield "Two bots of one account sit at a table.";
    for (const seat of entry.seats) {
      if (!/^([0-9a-f]{2}){16,64}$/.test(seat.nonce)) yield "A nonce does not have 16 to 64 bytes.";
    }
  }

  *#over(entry, where) {
    if (!this.seatings.has(entry.match_id)) yield `Match ${entry.match_id} was never seated.`;
    if (this.results.has(entry.match_id) || this.voids.has(entry.match_id)) {
      yield `Match ${entry.match_id} was over before.`;
    }
    where.set(entry.match_id, entry);
  }
}
