// The checks of one epoch, each of which yields a sentence for whatever is wrong.

import { existsSync, lstatSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { readContract } from "./contract.mjs";
import { linkBefore, matchId, secretOf, seedText, sha256, shuffled } from "./deals.mjs";
import { Course, headAt, readLedger } from "./ledger.mjs";
import { digest, holdsMore, plain, readMessage } from "./record.mjs";

const MOST_BYTES = 128 * 2 ** 20;
const MOST_RECORD_BYTES = 2 * 2 ** 20;

/** A file that is not there, or is none that anybody should read. */
class UnreadableError extends Error {}

function read(path, most = MOST_BYTES) {
  try {
    const found = lstatSync(path);
    if (!found.isFile()) throw new Error("it is no plain file");
    if (found.size > most) throw new Error("it is too large");
    return readFileSync(path);
  } catch (error) {
    throw new UnreadableError(`${path} cannot be read: ${error.message}`);
  }
}

/** Yield what is wrong with the ledger of an epoch, for itself and beside the files round it. */
function* ledgerProblems(ladder, number, entries, course, { settings, anchor }) {
  yield* course.problems(entries);
  const begin = course.begin;
  if (begin === null) return;
  if (begin.epoch !== number) {
    yield `The ledger is of epoch ${begin.epoch}.`;
    return;
  }
  if (anchor !== undefined && begin.anchor !== anchor) yield `The anchor is ${begin.anchor}.`;
  if (sha256(settings).toString("hex") !== begin.settings_digest) {
    yield "The settings are not those that the epoch began with.";
  }
  if (begin.previous !== null) {
    const before = read(join(folderOf(ladder, number - 1), "ledger.jsonl")).toString("latin1");
    if (headAt(before, begin.previous.length) !== begin.previous.head) {
      yield "The ledger before was another when this epoch began.";
    }
  }
  if (course.end !== null) yield* secretProblems(begin, course);
}

function* secretProblems(begin, course) {
  const link = Buffer.from(course.end.link, "hex"), secret = secretOf(link);
  if (link.length !== 32 || linkBefore(link, begin.epoch).toString("hex") !== begin.anchor) {
    yield `The link does not lead back to the anchor in ${begin.epoch} steps.`;
  }
  if (sha256(secret).toString("hex") !== begin.secret_digest) yield "The secret is not the one that was committed to.";
  for (const seating of course.seatings.values()) {
    if (seating.match_id !== matchId(secret, seating.number)) {
      yield `The name of match ${seating.number} is not that of its number.`;
    }
    if (!course.results.has(seating.match_id) && !course.voids.has(seating.match_id)) {
      yield `Match ${seating.number} has neither a result nor is it void.`;
    }
  }
}

/** Yield what is wrong with the records of an epoch whose ledger is well. */
function* recordProblems(folder, course, settings, contract, counts) {
  const secret = secretOf(Buffer.from(course.end.link, "hex"));
  const wanted = new Set([...course.results.keys()].map((id) => `${id}.record`));
  for (const name of readdirSync(join(folder, "records"))) {
    if (!wanted.has(name)) yield `records/${name}: It belongs to no result.`;
  }
  for (const entry of course.results.values()) {
    const name = `records/${entry.match_id}.record`;
    try {
      const data = read(join(folder, name), MOST_RECORD_BYTES);
      const [record, ...sentences] = recordAndProblems(data, entry, contract);
      sentences.push(...headingProblems(record, entry, course, secret), ...termProblems(record, settings));
      sentences.push(...shuffleProblems(record, secret, counts));
      for (const sentence of sentences) yield `${name}: ${sentence}`;
      counts.records++;
    } catch (error) {
      yield `${name}: ${error.message}`;
    }
  }
}

/** Yield the record of a file, and what is wrong with its digests. */
function* recordAndProblems(data, entry, contract) {
  const file = readMessage(data, "RecordFile", contract);
  const [message] = file.values.get(1) ?? [];
  if (message === undefined) throw new Error("It holds no record.");
  yield plain(message, contract);
  const computed = digest(message, contract).toString("hex");
  if (holdsMore(data, file, contract)) yield "It holds more than its digest covers.";
  if (plain(file, contract).digest.toString("hex") !== computed) yield "It was changed: its digest is another.";
  if (computed !== entry.record_digest) yield "The ledger has the digest of another record.";
}

function* headingProblems(record, entry, course, secret) {
  const seating = course.seatings.get(entry.match_id);
  const seated = seating.seats.map((seat) => course.players.get(seat.player));
  const told = (players) => players.map(({ name, version, build }) => `${name}/${version}/${build}`).join(", ");
  if (record.match_id !== seating.match_id || record.attempt !== 0) yield "It is of another match.";
  if (record.game !== seating.game) yield `The game is ${record.game}.`;
  if (told(record.seats) !== told(seated)) yield `Seated are ${told(record.seats)}; the ledger says ${told(seated)}.`;
  if (!record.commitment.equals(sha256(secret))) yield "The digest of the secret is not that of the ledger.";
  if (record.secret.length > 0) yield "The secret is revealed once, in the ledger, and not in records.";
  if (record.deal_seed !== seedText(course.begin, seating, course.players)) {
    yield "The seed text is not that of this match with the nonces of the ledger.";
  }
}

function* termProblems(record, settings) {
  const game = settings.games.find(({ name }) => name === record.game);
  if (game?.rules_version !== record.rules_version || game.seats !== record.seats.length) {
    yield "The settings have no such game.";
  }
  for (const [name, value] of Object.entries({ ...record.clock, ...record.faults })) {
    if (settings[name] !== value) yield `The settings have another ${name}.`;
  }
}

/** Yield what is wrong with the shuffles: the seed text was held against the ledger before. */
function* shuffleProblems(record, secret, counts) {
  const numbers = new Set();
  for (const [index, entry] of record.entries.entries()) {
    if (entry.shuffle === null) continue;
    const { deal, shuffle, cards } = entry.shuffle;
    counts.shuffles++;
    if (numbers.has(`${deal}|${shuffle}`)) yield `entry ${index}: Shuffle ${shuffle} of deal ${deal} comes twice.`;
    numbers.add(`${deal}|${shuffle}`);
    const dealt = shuffled(cards, secret, record.deal_seed, deal, shuffle);
    if (dealt.some((card, at) => card !== cards[at])) {
      yield `entry ${index}: Secret and seed text give another shuffle.`;
    }
  }
  if (numbers.size === 0) yield "No cards were shuffled.";
}

function folderOf(ladder, number) {
  return join(ladder, "epochs", String(number).padStart(6, "0"));
}

/** Verify an epoch: what is wrong, whether its link and its records are there, what its ledger tells, and counts. */
export function verify(ladder, number, { anchor, proto }) {
  const folder = folderOf(ladder, number);
  const course = new Course(), counts = { records: 0, shuffles: 0 };
  const text = read(join(folder, "ledger.jsonl")).toString("latin1");
  const settings = read(join(folder, "settings.json"));
  let problems;
  try {
    problems = [...ledgerProblems(ladder, number, readLedger(text), course, { settings, anchor })];
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    problems = [`ledger.jsonl: ${error.message}`];
  }
  const revealed = course.end !== null;
  const proved = revealed && (course.results.size === 0 || existsSync(join(folder, "records")));
  if (problems.length === 0 && proved && course.results.size > 0) {
    problems = [...recordProblems(folder, course, JSON.parse(settings), readContract(proto), counts)];
  }
  return { problems, revealed, proved, course, counts };
}
