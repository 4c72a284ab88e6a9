import { Bot, type Chance, complete, type Decision } from "ordago";

/** Play one seat of one match. What it keeps in fields belongs to this match alone. */
export class MyBot extends Bot {
  /** Answer a decision; it may be `async`. Here is where to begin. */
  override choose(decision: Decision, chance: Chance) {
    // All that the seat sees is in decision.view: viewOf(decision, "mittlere").hand, for instance.
    // All that is legal is in decision.actions. Any of them will do, with its open parts filled in by chance.
    return complete(chance.oneOf(decision.actions), chance);
  }
}
