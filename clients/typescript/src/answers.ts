import type { Chance } from "./chance.js";
import { Answer, type Decision, type LegalAction } from "./ordago/v1/decision.js";
import type { Action } from "./ordago/v1/games.js";

/** A choice of a bot: a legal action without open parts, an action of the game, or any answer. */
export type Choosable = LegalAction | Action | Answer;

/** Return an answer by a legal action, with its open parts filled in at random. */
export function complete(action: LegalAction, chance: Chance): Answer {
  return {
    ...named(action),
    amount: action.amount && chance.integer(action.amount.min, action.amount.max),
    cards: action.picks.flatMap(({ cards, min, max }) => chance.sample(cards, chance.integer(min, max))),
  };
}

/**
 * Return the default answer of a decision as it came, with fields that this SDK does not know.
 *
 * @throws TypeError if the decision has none, which no server sends
 */
export function defaultAnswer(decision: Decision): Answer {
  if (decision.defaultAnswer === undefined) {
    throw new TypeError(`decision ${decision.number} came without a default answer`);
  }
  return decision.defaultAnswer;
}

/**
 * Return the answer for a choice of a bot.
 *
 * @throws TypeError if it is no choice, or cannot be sent
 */
export function answerOf(chosen: Choosable): Answer {
  const answer = asAnswer(chosen);
  try {
    // An answer that cannot be encoded would break the connection, again and again.
    Answer.encode(answer);
  } catch (error) {
    throw new TypeError(`a bot chose an answer that cannot be sent: ${(error as Error).message}`, { cause: error });
  }
  return answer;
}

function asAnswer(chosen: Choosable | undefined): Answer {
  if (typeof chosen === "object" && chosen !== null) {
    if ("picks" in chosen) {
      return named(chosen);
    }
    if ("extra" in chosen) {
      return chosen;
    }
    if ("game" in chosen) {
      return Answer.fromPartial({ actionChoice: { $case: "action", value: chosen } });
    }
  }
  throw new TypeError(`a bot has to choose a LegalAction, an Action or an Answer, not ${JSON.stringify(chosen)}`);
}

function named(action: LegalAction): Answer {
  return Answer.fromPartial({ actionChoice: { $case: "legalAction", value: action.id } });
}
