import { messageOf } from "./events.js";
import type { Decision } from "./ordago/v1/decision.js";

/** The failure of a bot: its `cause` is what the bot threw, its message begins with the match and the decision. */
export class BotError extends Error {
  override readonly name = "BotError";

  /** Say where a bot failed; without a decision, when it was made or told something. */
  constructor(matchId: string, decision: Pick<Decision, "number"> | undefined, cause: unknown) {
    const where = decision === undefined ? "" : `, decision ${decision.number}`;
    super(`match ${matchId}${where}: the bot failed: ${messageOf(cause)}`, { cause });
  }
}
