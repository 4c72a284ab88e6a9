/**
 * Helpers for the tests of a bot: decisions in a file, legality, and whole matches.
 *
 * @module ordago/testing
 */
import { answerOf } from "./answers.js";
import type { Bot, BotFactory } from "./bot.js";
import { Chance } from "./chance.js";
import { timed, timeOf } from "./decision.js";
import type { AskedDecision } from "./decisions.js";
import { Match } from "./match.js";
import type { Answer } from "./ordago/v1/decision.js";

export { type AskedDecision, loadDecisions } from "./decisions.js";
export { actionTaken, isLegal } from "./legality.js";
export { type PlayedMatch, type PlayedSeat, type PlayOptions, play } from "./local.js";

/** A decision to ask a bot, as a file has it. */
export type Question = Pick<AskedDecision, "start" | "decision"> & Partial<Pick<AskedDecision, "refused">>;

/**
 * Ask a bot as in a match, with the random numbers of that decision, and return its answer.
 *
 * @param bot a bot, or a function that makes one for the match
 *
 * @throws whatever the bot throws, and TypeError if it returns no answer
 */
export async function ask(bot: Bot | BotFactory, { start, decision, refused }: Question): Promise<Answer> {
  const player = typeof bot === "function" ? await bot(new Match(start)) : bot;
  const chance = new Chance(start.seed, decision.number);
  const beganMs = performance.now();
  const ms = refused && decision.clock ? refused.timeLeftMs : timeOf(decision.clock);
  const { signal } = new AbortController();
  const timeLeft = () => Math.max(0, ms - (performance.now() - beganMs));
  const asked = timed(decision, timeLeft, () => signal);
  const chosen = await (refused ? player.refused(asked, refused, chance) : player.choose(asked, chance));
  return answerOf(chosen, decision.defaultAnswer);
}
