// The events that a player reports, with their sentences and fields: docs/bot-process.md lists them.
import { status } from "@grpc/grpc-js";
import type { EventFields, Level, LogEvent } from "./log.js";
import { BotMessage, type EventNotice, ServerMessage, type Welcome } from "./ordago/v1/bot_service.js";
import { Decision } from "./ordago/v1/decision.js";
import { Fault } from "./ordago/v1/faults.js";
import type { Accepted, Forfeited, MatchEnd, MatchStart, Refused } from "./ordago/v1/match.js";

/** Count the matches that have begun in an event; each notice of the server corrects the count. */
export class EventCount {
  #begun = 0;
  #planned = 0;

  /** Take over the counts of a notice. */
  learn({ matchesBegun, matchesPlanned }: EventNotice): void {
    this.#begun = matchesBegun;
    this.#planned = matchesPlanned;
  }

  /** Count a match that begins; returns its number among those planned, or nothing if that is unknown. */
  next(): { readonly number?: number; readonly planned?: number } {
    this.#begun += 1;
    return this.#planned > 0 ? { number: this.#begun, planned: this.#planned } : {};
  }
}

function event<Name extends keyof EventFields>(
  name: Name,
  message: string,
  fields: EventFields[Name],
  level: Level = "INFO",
): LogEvent {
  return { event: name, level, message, fields } as LogEvent;
}

/** Return a sentence that has no event of its own. */
export function note(message: string, level: Level = "INFO"): LogEvent {
  return event("note", message, {}, level);
}

/** Return `connected`, or `resumed` if the session goes on. */
export function welcomed({ games: offered, resumed }: Welcome): LogEvent {
  const games = offered.map(({ game }) => game);
  const words = `${resumed ? "session resumed" : "connected"}; games: ${games.join(", ")}`;
  return event(resumed ? "resumed" : "connected", words, { games });
}

/** Return the event of a server that is going down. */
export function draining(sentence: string): LogEvent {
  return event("draining", `the server is going down: ${orNoReason(sentence)}`, { sentence });
}

/** Return a notice about the event in which the bot plays. */
export function noticed({ sentence }: EventNotice): LogEvent {
  return event("event_notice", `event: ${orNoReason(sentence)}`, { sentence });
}

/** Return an announcement of the server's operator. */
export function announced(sentence: string): LogEvent {
  return event("announcement", `announcement: ${orNoReason(sentence)}`, { sentence });
}

/** Return the beginning of a match, with its number if the event has a plan. */
export function begins({ matchId, game, seat }: MatchStart, count: ReturnType<EventCount["next"]>): LogEvent {
  const place = count.planned === undefined ? "" : `, match ${count.number} of ${count.planned}`;
  const words = `match ${matchId} of ${game} begins, seat ${seat}${place}`;
  return event("match_begins", words, { match: matchId, game, seat, ...count });
}

/** Return the event of a match that goes on after a resume. */
export function goesOn({ matchId, game, seat }: MatchStart): LogEvent {
  return event("match_goes_on", `match ${matchId} of ${game} goes on, seat ${seat}`, { match: matchId, game, seat });
}

/** Return the refusal of an answer; the match may not be known any more. */
export function refused({ number, sentence, ...refusal }: Refused, start: MatchStart | undefined): LogEvent {
  const cause = causeOf(refusal);
  const words = `${nameOf(start)}, decision ${number}: refused: ${orNoReason(sentence)} (${cause})`;
  return event("refused", words, { ...matchOf(start), decision: number, cause, sentence }, "WARNING");
}

/** Return the event of a default answer that was taken for a fault, with the faults left before the forfeit. */
export function defaultTaken({ number, sentence, fault, faultsLeft }: Accepted, start: MatchStart): LogEvent {
  const left = faultsLeft > 0 ? `; ${faultsLeft} more and the match is forfeited` : "";
  const reason = `${orNoReason(sentence)} (${faultName(fault)})${left}`;
  const words = `${nameOf(start)}, decision ${number}: the default answer was taken: ${reason}`;
  const fields = { fault: faultName(fault), faults_left: faultsLeft, sentence };
  return event("default_taken", words, { ...matchOf(start), decision: number, ...fields }, "WARNING");
}

/** Return the forfeit of a match; the match may not be known any more. */
export function forfeited({ sentence, fault }: Forfeited, start: MatchStart | undefined): LogEvent {
  const words = `${nameOf(start)} is forfeited: ${orNoReason(sentence)} (${faultName(fault)})`;
  return event("forfeited", words, { ...matchOf(start), fault: faultName(fault), sentence }, "WARNING");
}

/**
 * Return the failure of a bot.
 *
 * @param asked the decision; "start" if the bot failed when it was made, "notice" if it was told something
 * @param isFirst true for the first failure of the match
 */
export function failed(
  error: unknown,
  { matchId }: MatchStart,
  asked: Decision | "start" | "notice",
  isFirst: boolean,
): LogEvent {
  const reason = messageOf(error);
  const isDecision = typeof asked === "object";
  const start = asked === "start" ? "the bot failed at its start, and default answers are taken" : "the bot failed";
  const words = isDecision
    ? `, decision ${asked.number}: the bot failed, and the default answer is taken`
    : `: ${start}`;
  const fields = { match: matchId, ...(isDecision && { decision: asked.number }), error: reason };
  const trace = { trace: error instanceof Error ? String(error.stack) : reason };
  const first = isFirst ? { ...trace, ...(isDecision && { asked: Decision.toJSON(asked) }) } : {};
  return event("failed", `match ${matchId}${words}: ${reason}`, { ...fields, ...first }, "ERROR");
}

/** Return the message of what was thrown, which can be anything. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Return the end of a match: the placing of the seat, or the reason why it is void, and forfeits. */
export function ended({ outcome, sentence, forfeits: all }: MatchEnd, { matchId, seat }: MatchStart): LogEvent {
  const forfeits = all.map((forfeit) => ({ seat: forfeit.seat, fault: faultName(forfeit.fault) }));
  const behind = forfeits.map((forfeit) => `, seat ${forfeit.seat} forfeited (${forfeit.fault})`).join("");
  const placing = outcome?.placings[seat];
  const words = outcome ? `placing ${placing}${behind}` : `void${behind}: ${orNoReason(sentence)}`;
  const result = placing === undefined ? { void: sentence } : { placing };
  const fields = { match: matchId, ...result, ...(forfeits.length > 0 && { forfeits }) };
  return event("match_ended", `match ${matchId} ended: ${words}`, fields);
}

/** Return the event of a connection that broke, with the pause before the next one. */
export function connectionBroke(reason: string, milliseconds: number): LogEvent {
  const seconds = milliseconds / 1000;
  return event("connection_broke", `the connection broke (${reason})${again(seconds)}`, { reason, seconds });
}

/** Return the event of a connection that ended after Draining. */
export function goneDown(milliseconds: number): LogEvent {
  const seconds = milliseconds / 1000;
  return event("gone_down", `the server has gone down${again(seconds)}`, { seconds });
}

/** Return the goodbye of a server that says when to come back. */
export function goodbyeForNow(sentence: string, milliseconds: number): LogEvent {
  const seconds = milliseconds / 1000;
  const words = `the server said goodbye for now: ${orNoReason(sentence)}${again(seconds)}`;
  return event("goodbye_for_now", words, { sentence, seconds });
}

function again(seconds: number): string {
  return `; trying again in ${seconds.toFixed(2)} s`;
}

/** Return the event of an order to stop. */
export function toldToStop(): LogEvent {
  const words = "told to stop: running matches are played to their end; once more to leave at once";
  return event("told_to_stop", words, {});
}

/** Return the goodbye of a server for good. */
export function saidGoodbye(sentence: string): LogEvent {
  return event("goodbye", `the server said goodbye: ${orNoReason(sentence)}`, { sentence });
}

/** Return the event of a server that does not answer; the hint is added to the sentence. */
export function unreachable(address: string, reason: string, hint: string): LogEvent {
  const words = `the server at ${address} does not answer (${reason})${hint}`;
  return event("unreachable", words, { address, reason }, "ERROR");
}

/** Return the event of a session that the server ended for good. */
export function sessionEnded(address: string, code: number, sentence: string): LogEvent {
  const name = statusName(code);
  const words = `the server at ${address} ended the session (${name}): ${orNoReason(sentence)}`;
  return event("session_ended", words, { address, status: name, sentence }, "ERROR");
}

/** Return the event of a message that came. */
export function came(message: ServerMessage): LogEvent {
  return event("came", `came: ${withoutSecrets(ServerMessage.toJSON(message))}`, {}, "DEBUG");
}

/** Return the event of a message that went. */
export function went(message: BotMessage): LogEvent {
  return event("went", `went: ${withoutSecrets(BotMessage.toJSON(message))}`, {}, "DEBUG");
}

/** Return the time charged for a decision, the time not charged (network, server), and the time left. */
export function cost({ number, chargedMs, lagMs, lostMs, bankMs }: Accepted, start: MatchStart): LogEvent {
  const travelled = lagMs > 0 ? `, travelled for ${lagMs} ms` : "";
  const lost = lostMs > 0 ? `, the server lost ${lostMs} ms` : "";
  const charged = `charged ${chargedMs} ms${travelled}${lost}, ${bankMs} ms left in the bank`;
  return note(`${nameOf(start)}, decision ${number}: ${charged}`, "DEBUG");
}

/** Return a warning about a decision of a match that was never announced. */
export function notAnnounced({ number }: Decision): LogEvent {
  return note(`${nameOf(undefined)}, decision ${number}: not answered, since no such match was announced`, "WARNING");
}

/** Return the cause of a refusal: the rule, else the field, else the fault. */
export function causeOf({ rule, field, fault }: Pick<Refused, "rule" | "field" | "fault">): string {
  return rule || field || faultName(fault);
}

/** Return the name of a fault, or its number if only a newer server knows it. */
export function faultName(fault: Fault): string {
  return Fault[fault] ?? `fault ${fault}`;
}

/** Return the name of a status, or its number if grpc-js does not know it. */
export function statusName(code: number): string {
  return status[code] ?? `status ${code}`;
}

function nameOf(start: MatchStart | undefined): string {
  return start === undefined ? "a match that is over" : `match ${start.matchId}`;
}

function matchOf(start: MatchStart | undefined): { readonly match?: string } {
  return start === undefined ? {} : { match: start.matchId };
}

/** Return a sentence of the server, which may be missing. */
function orNoReason(sentence: string): string {
  return sentence || "no reason was given";
}

/** Return a message as JSON, without the secrets of the session. */
function withoutSecrets(message: unknown): string {
  return JSON.stringify(message, (key, value) => (["nonce", "resumeToken"].includes(key) ? "…" : value));
}
