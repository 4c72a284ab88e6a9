import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, isLegal, loadDecisions } from "ordago/testing";
import { MyBot } from "./bot.js";

// A decision of each game. Add your own by --log-decisions.
for (const asked of loadDecisions("decisions.jsonl")) {
  test(`it takes a legal action: ${asked.start.game}`, async () => {
    const answer = await ask((match) => new MyBot(match), asked);
    assert.ok(isLegal(asked.decision, answer));
  });
}
