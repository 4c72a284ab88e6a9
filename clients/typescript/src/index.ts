/**
 * Write a bot for Ordago: a class with one method, and `run`.
 *
 * @module ordago
 */
export { type Choosable, complete, defaultAnswer, type Parts, take } from "./answers.js";
export { Bot, type BotFactory, type Thought } from "./bot.js";
export { BotError } from "./bot-error.js";
export { Chance } from "./chance.js";
export type { Decision } from "./decision.js";
export { act, actionOf, eventsOf, type GameName, optionsOf, viewOf } from "./games.js";
export {
  type EventFields,
  type Level,
  type Log,
  type LogEvent,
  type LogFormat,
  type SummaryFields,
  standardError,
} from "./log.js";
export { Match } from "./match.js";
export type { OnError } from "./matches.js";
export type { Forfeited, MatchEnd, Refused } from "./ordago/v1/match.js";
export { type Outcome, type PlayAtOptions, playAt, SessionEndedError } from "./play-at.js";
export { run } from "./run.js";
export type { RunOptions } from "./settings.js";
export type { Tls } from "./tls.js";
export { VERSION } from "./version.js";
