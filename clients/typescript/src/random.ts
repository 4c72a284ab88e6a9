import type { Chance } from "./chance.js";
import type { Card } from "./ordago/v1/cards.js";
import { type AmountRange, Answer, type Decision, type Extra, type Pick } from "./ordago/v1/decision.js";

/** An extra is said once in so many decisions that offer any. */
const ONE_IN_EXTRAS = 4;

/**
 * Answers any decision of any game: each legal action is as likely as the others, and so is each way to fill in its
 * open parts.
 */
export function random(decision: Decision, chance: Chance): Answer {
  const legal = chance.oneOf(decision.actions);
  return Answer.fromPartial({
    actionChoice: { $case: "legalAction", value: legal.id },
    amount: anyAmount(legal.amount, chance),
    cards: anyCards(legal.picks, chance),
    extra: anyExtra(decision.extras, chance),
  });
}

function anyAmount(amounts: AmountRange | undefined, chance: Chance): number | undefined {
  return amounts && chance.integer(amounts.min, amounts.max);
}

function anyCards(picks: readonly Pick[], chance: Chance): Card[] {
  return picks.flatMap((pick) => chance.sample(pick.cards, chance.integer(pick.min, pick.max)));
}

/** Returns the number of an extra, or 0 for none. */
function anyExtra(extras: readonly Extra[], chance: Chance): number {
  if (extras.length === 0 || chance.integer(1, ONE_IN_EXTRAS) > 1) {
    return 0;
  }
  return chance.oneOf(extras).id;
}
