import assert from "node:assert/strict";
import { test } from "node:test";
import { credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { ServerMessage } from "./ordago/v1/bot_service.js";
import { Answer } from "./ordago/v1/decision.js";
import { Player } from "./player.js";
import { isWorthComingBack, play, retryAfterMs, SessionEndedError, type Stop } from "./transport.js";

/** Returns a player, in a session or before its first. */
function playerIn(session: boolean): Player {
  const player = new Player(() => Answer.fromPartial({}), {});
  if (session) {
    player.receive({ messages: [ServerMessage.fromPartial({ body: { $case: "welcome", value: { sessionId: "s" } } })] });
  }
  return player;
}

function neverTold(): Stop {
  return { retire: new AbortController().signal, leave: new AbortController() };
}

function failure(code: number, retryAfter?: string): ServiceError {
  const metadata = new Metadata();
  if (retryAfter !== undefined) {
    metadata.set("retry-after-ms", retryAfter);
  }
  return Object.assign(new Error("a reason"), { code, details: "a reason", metadata });
}

const CASES: [string, { session?: boolean; alive?: boolean; error?: ServiceError }, boolean][] = [
  ["an orderly end", {}, true],
  ["not there", { error: failure(status.UNAVAILABLE) }, true],
  ["taken over", { session: true, alive: true, error: failure(status.ABORTED) }, false],
  ["a session that is unknown", { session: true, error: failure(status.UNAUTHENTICATED) }, true],
  ["a session that is not allowed", { session: true, error: failure(status.PERMISSION_DENIED) }, true],
  ["a token that is not valid", { error: failure(status.UNAUTHENTICATED) }, false],
  ["shown the door", { session: true, alive: true, error: failure(status.PERMISSION_DENIED) }, false],
  ["full", { error: failure(status.RESOURCE_EXHAUSTED, "1500") }, true],
  ["too much", { error: failure(status.RESOURCE_EXHAUSTED) }, false],
];

for (const [name, { session = false, alive = false, error }, expected] of CASES) {
  test(`whether it is worth coming back: ${name}`, () => {
    const ending = error === undefined ? { alive } : { alive, error };
    assert.equal(isWorthComingBack(playerIn(session), ending, retryAfterMs(error)), expected);
  });
}

test("the time to come back stands beside the status", () => {
  assert.equal(retryAfterMs(failure(status.RESOURCE_EXHAUSTED, "1500")), 1500);
  assert.equal(retryAfterMs(failure(status.RESOURCE_EXHAUSTED, "soon")), 0);
  assert.equal(retryAfterMs(failure(status.RESOURCE_EXHAUSTED)), 0);
  assert.equal(retryAfterMs(undefined), 0);
});

test("who is told to retire where nobody answers leaves", async () => {
  const nobody = { address: "127.0.0.1:1", token: "", credentials: credentials.createInsecure() };
  const [retire, leave] = [new AbortController(), new AbortController()];
  const played = play(playerIn(false), nobody, { retire: retire.signal, leave });
  retire.abort();
  await played;
  assert(leave.signal.aborted);
});

test("patience with a server that does not answer ends, and the reason is told", async () => {
  const nobody = { address: "127.0.0.1:1", token: "", credentials: credentials.createInsecure() };
  const played = play(playerIn(false), nobody, neverTold(), 0);
  await assert.rejects(played, (error) => {
    assert(error instanceof SessionEndedError);
    assert.match(error.message, /^no server answers at 127\.0\.0\.1:1 \(.*ECONNREFUSED/);
    return true;
  });
});
