/**
 * Write a bot for Ordago: a class with one method, and `run`.
 *
 * @module ordago
 */
export { answerOf, type Choosable, complete, defaultAnswer, type Parts, take } from "./answers.js";
export { Bot, type BotFactory, type Thought } from "./bot.js";
export { Chance } from "./chance.js";
export type { Decision } from "./decision.js";
export { type AskedDecision, decisionsFile } from "./decisions.js";
export { act, actionOf, eventsOf, type GameName, optionsOf, viewOf } from "./games.js";
export {
  type EventFields,
  type Level,
  type Log,
  type LogEvent,
  type LogFormat,
  SILENCE,
  type SummaryFields,
  standardError,
} from "./log.js";
export { Match } from "./match.js";
export type { OnError } from "./matches.js";
export type { Forfeited, MatchEnd, Refused } from "./ordago/v1/match.js";
export { type Ending, type Next, Player, type PlayerSettings, type Surroundings } from "./player.js";
export { type Keep, type Receipt, receiptsFile } from "./receipts.js";
export { run } from "./run.js";
export type { RunOptions } from "./settings.js";
export { type Over, play, type Server, type Stop } from "./transport.js";
export { VERSION } from "./version.js";
