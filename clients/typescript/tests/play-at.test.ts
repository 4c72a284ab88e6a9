// A session as a function, for programs that do more than play.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { status } from "@grpc/grpc-js";
import { Bot, BotError, type Decision, type LogEvent, playAt, SessionEndedError, take } from "ordago";
import { loadDecisions } from "ordago/testing";
import { ServerMessage } from "ordago/v1";
import { Authority } from "./certificates.js";
import { decision, end, goodbye, start, welcome } from "./messages.js";
import { type Stage, serve } from "./server.js";

class First extends Bot {
  override choose({ actions }: Decision) {
    const [first] = actions;
    return first ? take(first) : assert.fail("no idea");
  }
}
const first = (match: Bot["match"]) => new First(match);

async function dismiss(stage: Stage): Promise<void> {
  await stage.hear();
  stage.say(welcome(), start(1), end(1), goodbye({ sentence: "that was all" }));
  stage.end();
}

test("it plays as it is told, and returns what came of it", async (context) => {
  const heard: unknown[] = [];
  const { address } = await serve(context, async (stage) => {
    const [hello] = await stage.hear();
    heard.push(
      hello?.$case === "hello" && [
        hello.value.bot?.name,
        hello.value.bot?.version,
        hello.value.matchesInAll,
        hello.value.nonce.length,
      ],
    );
    const { authorization, "ordago-event": event } = stage.metadata.getMap();
    heard.push([authorization, event]);
    stage.say(welcome(), start(1), end(1), goodbye({ sentence: "that was all" }));
    stage.end();
  });
  const events: LogEvent[] = [];
  const log = (event: LogEvent) => events.push(event);
  const told = { name: "ana", version: "7", matchesInAll: 10, token: "let-me-in", event: "friday", log };
  const { goodbye: reason, summary } = await playAt(address, first, told);
  assert.deepEqual(heard, [
    ["ana", "7", 10, 16],
    ["Bearer let-me-in", "friday"],
  ]);
  assert.deepEqual([reason, summary.matches], ["that was all", 1]);
  assert.deepEqual(
    events.map(({ event }) => event),
    ["connected", "match_begins", "match_ended", "goodbye"],
  );
});

test("a server that ends the session rejects it", async (context) => {
  const { address } = await serve(context, async (stage) => {
    await stage.hear();
    stage.end(status.PERMISSION_DENIED);
  });
  const message = `the server at ${address} ended the session (PERMISSION_DENIED): the script says so`;
  await assert.rejects(playAt(address, first, { name: "ana" }), { name: "SessionEndedError", message });
});

test("a bot that fails rejects it with what it threw, or goes on by the default answer", async (context) => {
  const { address } = await serve(context, async (stage) => {
    await stage.hear();
    stage.say(welcome(), start(1), decision(1, 1));
    await stage.hear();
    stage.say(end(1), goodbye({ sentence: "that was all" }));
    stage.end();
  });
  const play = (onError: "stop" | "default") => playAt(address, first, { name: "ana", onError });
  await assert.rejects(play("stop"), (error) => {
    assert(error instanceof BotError);
    assert(error.cause instanceof assert.AssertionError);
    return error.message === "match match-1, decision 1: the bot failed: no idea";
  });
  assert.equal((await play("default")).summary.failures, 1);
});

test("what cannot be sent is told before anything is", async () => {
  const form = "is not HOST:PORT, [IPv6]:PORT or unix:PATH";
  const refusals = [
    [playAt("nowhere", first, { name: "ana" }), `'nowhere' ${form}: it has no port`],
    [playAt("a:1", first, { name: "ana", token: "two words" }), "the token has a character that no token has"],
    [playAt("a:1", first, { name: "ana", event: "The Cup" }), /^'The Cup' is no event: its name has small letters/],
  ] as const;
  for (const [refusal, message] of refusals) {
    await assert.rejects(refusal, { name: "RangeError", message });
  }
});

test("it retires and leaves by signals, and has no goodbye then", async (context) => {
  const [retire, leave] = [new AbortController(), new AbortController()];
  const heard: (string | undefined)[] = [];
  const { address } = await serve(context, async (stage) => {
    const hear = async () => heard.push(...(await stage.hear()).map((body) => body?.$case));
    await hear();
    stage.say(welcome(), start(1));
    await hear();
    leave.abort();
    await hear();
    stage.end();
  });
  const log = ({ event }: LogEvent) => event === "match_begins" && retire.abort();
  const told = { name: "ana", log, retire: retire.signal, leave: leave.signal };
  const { goodbye: reason } = await playAt(address, first, told);
  assert.deepEqual([heard, reason], [["hello", "retire", "goodbye"], undefined]);
});

test("told to leave it waits for no server", async () => {
  const leave = new AbortController();
  const log = ({ event }: LogEvent) => event === "connection_broke" && leave.abort();
  const { goodbye: reason } = await playAt("127.0.0.1:9", first, { name: "ana", leave: leave.signal, log });
  assert.equal(reason, undefined);
});

test("certificates are given as they are", async (context) => {
  const authority = new Authority("ours");
  const { address } = await serve(context, dismiss, undefined, authority.issue());
  assert.equal((await playAt(address, first, { name: "ana", tls: { ca: authority.cert } })).goodbye, "that was all");
  const ended = (error: unknown) =>
    error instanceof SessionEndedError && /authority that is not trusted/.test(error.message);
  await assert.rejects(playAt(address, first, { name: "ana", tls: {} }), ended);
});

test("decisions are kept in a file", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "ordago-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const value = { matchHandle: 1, number: 1, actions: [{ id: 4 }] };
  const asked = ServerMessage.fromPartial({ body: { $case: "decision", value } });
  const { address } = await serve(context, async (stage) => {
    await stage.hear();
    stage.say(welcome(), start(1), asked);
    await stage.hear();
    stage.say(goodbye());
    stage.end();
  });
  const file = join(folder, "decisions.jsonl");
  await playAt(address, first, { name: "ana", logDecisions: file });
  assert.deepEqual(
    loadDecisions(file).map(({ answer }) => answer?.actionChoice),
    [{ $case: "legalAction", value: 4 }],
  );
});
