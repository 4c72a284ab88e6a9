import assert from "node:assert/strict";
import { test } from "node:test";
import { answerOf, Chance, Match } from "ordago";
import { Decision, MatchStart } from "ordago/v1";
import { MyBot } from "./bot.js";

test("it takes a legal action", async () => {
  const bot = new MyBot(new Match(MatchStart.fromPartial({ game: "mittlere" })));
  const decision = Decision.fromPartial({ number: 1, actions: [{ id: 1 }, { id: 2 }] });
  const answer = answerOf(await bot.choose(decision, new Chance(bot.match.seed, decision.number)));
  assert.equal(answer.actionChoice?.$case, "legalAction");
  assert.ok(decision.actions.some(({ id }) => id === answer.actionChoice?.value));
});
