import { writeError } from "./output.js";

/** The levels of the log, from the least. */
export type Level = "DEBUG" | "INFO" | "WARNING" | "ERROR";

/** The fields of each event. A missing sentence of the server is empty; `match` is missing if it is not known any more. */
export interface EventFields {
  readonly connected: { readonly games: readonly string[] };
  readonly resumed: { readonly games: readonly string[] };
  readonly draining: { readonly sentence: string };
  readonly event_notice: { readonly sentence: string };
  readonly announcement: { readonly sentence: string };
  readonly match_begins: MatchFields & { readonly number?: number; readonly planned?: number };
  readonly match_goes_on: MatchFields;
  readonly refused: Where & { readonly cause: string; readonly sentence: string };
  readonly default_taken: Where & { readonly fault: string; readonly faults_left: number; readonly sentence: string };
  readonly forfeited: { readonly match?: string; readonly fault: string; readonly sentence: string };
  readonly failed: Failure;
  readonly match_ended: MatchEnded;
  readonly connection_broke: { readonly reason: string; readonly seconds: number };
  readonly gone_down: { readonly seconds: number };
  readonly goodbye_for_now: { readonly sentence: string; readonly seconds: number };
  readonly told_to_stop: Nothing;
  readonly goodbye: { readonly sentence: string };
  readonly unreachable: { readonly address: string; readonly reason: string };
  readonly session_ended: { readonly address: string; readonly status: string; readonly sentence: string };
  readonly summary: SummaryFields;
  readonly note: Nothing;
  readonly came: Nothing;
  readonly went: Nothing;
}

type Nothing = Readonly<Record<string, never>>;

interface Where {
  readonly match?: string;
  readonly decision: number;
}

interface MatchFields {
  readonly match: string;
  readonly game: string;
  readonly seat: number;
}

/** A failure of the bot: at a decision, or else when it was made or in a notice. */
interface Failure {
  readonly match: string;
  readonly decision?: number;
  readonly error: string;
  /** The stack trace, at the first failure of a match. */
  readonly trace?: string;
  /** The Decision in protobuf's JSON form, at the first failure of a match. */
  readonly asked?: unknown;
}

interface MatchEnded {
  readonly match: string;
  readonly placing?: number;
  /** The sentence about a match that is void. */
  readonly void?: string;
  readonly forfeits?: readonly { readonly seat: number; readonly fault: string }[];
}

/** What a process has played; numbers by placing, by the cause of a refusal, and by fault. */
export interface SummaryFields {
  readonly matches: number;
  readonly placings: Readonly<Record<string, number>>;
  readonly void: number;
  readonly slowest_ms?: number;
  readonly slowest_match?: string;
  readonly slowest_decision?: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly default_answers: Readonly<Record<string, number>>;
  readonly forfeited: number;
  readonly failures: number;
}

/** Something that happened: `event` names it, `message` is a sentence for people, `fields` has the facts. */
export type LogEvent = {
  readonly [Name in keyof EventFields]: {
    readonly event: Name;
    readonly level: Level;
    readonly message: string;
    readonly fields: EventFields[Name];
  };
}[keyof EventFields];

/** Receive what a bot reports, one event at a time. */
export type Log = (event: LogEvent) => void;

/** The forms of the log on standard error; the first is the default. */
export const LOG_FORMATS = ["text", "json"] as const;
/** One of these forms. */
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Characters that mislead a terminal, or a program that reads lines: a server may send any in a sentence. */
const MISLEADING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A log that drops everything. */
export const SILENCE: Log = () => {};

/** Return a log that writes to standard error: a line of text or a JSON object for each event. */
export function standardError(format: LogFormat = "text"): Log {
  const formatted = format === "json" ? jsonOf : textOf;
  return (event) => writeError(`${formatted(event, new Date().toISOString())}\n`);
}

function jsonOf({ level, event, message, fields }: LogEvent, time: string): string {
  return JSON.stringify({ time, level, event, message, ...fields });
}

/** Return an event as text; the first failure of a match has its trace and the decision below it. */
function textOf({ level, message, fields }: LogEvent, time: string): string {
  const trace = "trace" in fields ? fields.trace.split("\n").map(plain) : [];
  const asked = "asked" in fields ? [`the decision: ${JSON.stringify(fields.asked)}`] : [];
  return [`${time} ${level} ${plain(message)}`, ...trace, ...asked].join("\n");
}

/** Return a text with each misleading character as an escape, like `\x1b` or `\u202e`. */
export function plain(text: string): string {
  return text.replace(MISLEADING, escapeOf);
}

function escapeOf(character: string): string {
  const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  const code = (character.codePointAt(0) ?? 0).toString(16);
  const [letter, digits] = code.length > 4 ? ["U", 8] : code.length > 2 ? ["u", 4] : ["x", 2];
  return short[character] ?? `\\${letter}${code.padStart(digits, "0")}`;
}
