import type { Chance } from "./chance.js";
import { Answer, type Decision, type LegalAction } from "./ordago/v1/decision.js";
import type { Action } from "./ordago/v1/games.js";

/** A choice of a bot: a legal action without open parts, an action of the game, or any answer. */
export type Choosable = LegalAction | Action | Answer;

/** The open parts of a legal action, the number of an extra, and true to concede. */
export type Parts = Partial<Pick<Answer, "amount" | "cards" | "extra" | "concede">>;

/** Return an answer by a legal action, with its open parts: `take(action, { cards: [Card.CARD_ACE_OF_OROS] })`. */
export function take(action: LegalAction, parts: Parts = {}): Answer {
  return Answer.fromPartial({ actionChoice: { $case: "legalAction", value: action.id }, ...parts });
}

/** Return an answer by a legal action, with its open parts filled in at random. */
export function complete(action: LegalAction, chance: Chance): Answer {
  return take(action, {
    amount: action.amount && chance.integer(action.amount.min, action.amount.max),
    cards: action.picks.flatMap(({ cards, min, max }) => chance.sample(cards, chance.integer(min, max))),
  });
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
 * @param byDefault the default answer, which need not name an action
 *
 * @throws TypeError if it is no choice, names no action, or cannot be sent
 */
export function answerOf(chosen: Choosable | undefined, byDefault?: Answer): Answer {
  const answer = asAnswer(chosen);
  const bytes = encoded(answer);
  if (answer.actionChoice !== undefined || (byDefault !== undefined && bytes.equals(encoded(byDefault)))) {
    return answer;
  }
  throw new TypeError("its answer names no action");
}

/** Return the bytes of an answer. One that cannot be encoded would break the connection, again and again. */
function encoded(answer: Answer): Buffer {
  try {
    return Buffer.from(Answer.encode(answer).finish());
  } catch (error) {
    throw new TypeError(`a bot chose an answer that cannot be sent: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Return a choice as an answer, which may name no action.
 *
 * @throws TypeError if it is no choice
 */
export function asAnswer(chosen: Choosable | undefined | null): Answer {
  if (chosen === undefined || chosen === null) {
    throw new TypeError("it returned no answer");
  }
  if (typeof chosen === "object") {
    if ("picks" in chosen) {
      return take(chosen);
    }
    if ("extra" in chosen) {
      return chosen;
    }
    if ("game" in chosen) {
      return Answer.fromPartial({ actionChoice: { $case: "action", value: chosen } });
    }
  }
  const kind = typeof chosen === "object" ? (chosen as object).constructor?.name : typeof chosen;
  throw new TypeError(`it returned ${kind}, no answer: choose a LegalAction, an Action or an Answer`);
}
