/**
 * Helpers for the tests of a bot: decisions in a file, legality, and whole matches.
 *
 * @module ordago/testing
 */
import { answerOf } from "./answers.js";
import type { Bot, BotFactory } from "./bot.js";
import { Chance } from "./chance.js";
import { type Decision, timed, timeOf } from "./decision.js";
import type { AskedDecision } from "./decisions.js";
import { Match } from "./match.js";
import type { Answer, Decision as Message } from "./ordago/v1/decision.js";

export { type AskedDecision, loadDecisions } from "./decisions.js";
export { actionTaken, isLegal } from "./legality.js";
export { type PlayedMatch, type PlayedSeat, type PlayOptions, play } from "./local.js";

/** A decision to ask a bot, as a file has it. */
export type Question = Pick<AskedDecision, "start" | "decision"> & Partial<Pick<AskedDecision, "refused">>;

/**
 * Ask a bot as in a match, with the random numbers of that decision, and return its answer. One that was refused is asked
 * first and refused then.
 *
 * @param bot a bot, or a function that makes one for the match
 *
 * @throws whatever the bot throws, and TypeError if it returns no answer
 */
export async function ask(bot: Bot | BotFactory, { start, decision, refused }: Question): Promise<Answer> {
  const player = typeof bot === "function" ? await bot(new Match(start)) : bot;
  const chance = new Chance(start.seed, decision.number);
  const first = await player.choose(timedFor(decision, timeOf(decision.clock)), chance);
  const answer = answerOf(first, decision.defaultAnswer);
  if (refused === undefined) {
    return answer;
  }
  const again = timedFor(decision, decision.clock ? refused.timeLeftMs : Number.POSITIVE_INFINITY);
  return answerOf(await player.refused(again, refused, chance), decision.defaultAnswer);
}

/** Give a decision some time from now on. */
function timedFor(decision: Message, ms: number): Decision {
  const beganMs = performance.now();
  const { signal } = new AbortController();
  return timed(
    decision,
    () => Math.max(0, ms - (performance.now() - beganMs)),
    () => signal,
  );
}
