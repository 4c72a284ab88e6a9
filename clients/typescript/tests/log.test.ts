// The lines of the log, which are the same in all SDKs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Metadata, status } from "@grpc/grpc-js";
import { Bot, type Decision, type Log } from "ordago";
import { Fault, ServerMessage } from "ordago/v1";
import { Player } from "../dist/player.js";
import { play, type Server } from "../dist/transport.js";
import { accepted, answerOf, decision, end, goodbye, listening, refused, said, start, welcome } from "./messages.js";
import { type Stage, serve } from "./server.js";

class Quick extends Bot {
  override choose(_decision: Decision) {
    return answerOf(1);
  }
}

function newPlayer(log: Log, verbose = false): Player {
  const settings = { name: "ana", nonce: Buffer.alloc(16, 7) };
  const player = new Player((match) => new Quick(match), settings, { log, verbose });
  player.connect();
  return player;
}

/** Return the lines about these messages, one after another. */
function logged(...messages: Parameters<typeof ServerMessage.fromPartial>[0][]): string[] {
  const { log, lines } = listening();
  const player = newPlayer(log);
  said(player, welcome({ games: [{ game: "mittlere" }, { game: "mus" }] }));
  said(player, ...messages.map((message) => ServerMessage.fromPartial(message)));
  return lines;
}

const CONNECTED = "INFO connected; games: mittlere, mus";
const BEGINS = "INFO match match-1 of mus begins, seat 2";
const STARTED = start(1, { game: "mus", seat: 2 });

test("sessions and their server", () => {
  const resumed = welcome({ resumed: true, games: [{ game: "mus" }] });
  const draining = { body: { $case: "draining", value: { sentence: "back soon" } } } as const;
  const silent = { body: { $case: "draining", value: {} } } as const;
  assert.deepEqual(logged(resumed, draining, silent), [
    CONNECTED,
    "INFO session resumed; games: mus",
    "INFO the server is going down: back soon",
    "INFO the server is going down: no reason was given",
  ]);
});

test("matches that begin, in an event by their number, and those that go on", () => {
  const notice = { sentence: "checked in", matchesBegun: 2, matchesPlanned: 9 };
  const resumed = welcome({ resumed: true, games: [{ game: "mus" }] });
  const lines = logged(
    STARTED,
    { body: { $case: "eventNotice", value: notice } },
    start(2, { game: "mus", seat: 0 }),
    resumed,
    STARTED,
    start(3, { game: "mus", seat: 1 }),
  );
  assert.deepEqual(lines, [
    CONNECTED,
    BEGINS,
    "INFO event: checked in",
    "INFO match match-2 of mus begins, seat 0, match 3 of 9",
    "INFO session resumed; games: mus",
    "INFO match match-1 of mus goes on, seat 2",
    "INFO match match-3 of mus begins, seat 1, match 4 of 9",
  ]);
});

test("answers that are refused, or taken by default, and matches that are forfeited", () => {
  const forfeited = { matchHandle: 1, sentence: "ten faults", fault: Fault.FAULT_ILLEGAL };
  const lines = logged(
    STARTED,
    decision(1, 1),
    refused(1, 1, { rule: "follow_suit", field: "card", sentence: "follow suit" }),
    refused(1, 1, { field: "card", sentence: "no such card" }),
    refused(1, 1, { fault: Fault.FAULT_TOO_LATE }),
    refused(9, 3, { fault: Fault.FAULT_STALE, sentence: "it is over" }),
    accepted(1, 1, { fault: Fault.FAULT_TOO_LATE, sentence: "the time is over", faultsLeft: 2 }),
    accepted(1, 2, { fault: Fault.FAULT_TOO_LATE }),
    { body: { $case: "forfeited", value: forfeited } },
    { body: { $case: "forfeited", value: { ...forfeited, matchHandle: 9 } } },
  );
  assert.deepEqual(lines.slice(2), [
    "WARNING match match-1, decision 1: refused: follow suit (follow_suit)",
    "WARNING match match-1, decision 1: refused: no such card (card)",
    "WARNING match match-1, decision 1: refused: no reason was given (FAULT_TOO_LATE)",
    "WARNING a match that is over, decision 3: refused: it is over (FAULT_STALE)",
    "WARNING match match-1, decision 1: the default answer was taken: the time is over (FAULT_TOO_LATE); " +
      "2 more and the match is forfeited",
    "WARNING match match-1, decision 2: the default answer was taken: no reason was given (FAULT_TOO_LATE)",
    "WARNING match match-1 is forfeited: ten faults (FAULT_ILLEGAL)",
    "WARNING a match that is over is forfeited: ten faults (FAULT_ILLEGAL)",
  ]);
});

test("matches that end", () => {
  const forfeits = [{ seat: 1, fault: Fault.FAULT_ILLEGAL }];
  const lines = logged(
    STARTED,
    end(1, { outcome: { placings: [3, 1, 2] } }),
    STARTED,
    end(1, { outcome: { placings: [1, 3, 1] }, forfeits }),
    STARTED,
    end(1, { sentence: "the server stopped it", forfeits }),
    STARTED,
    end(1),
  );
  assert.deepEqual(
    lines.slice(1).filter((line) => line !== BEGINS),
    [
      "INFO match match-1 ended: placing 2",
      "INFO match match-1 ended: placing 1, seat 1 forfeited (FAULT_ILLEGAL)",
      "INFO match match-1 ended: void, seat 1 forfeited (FAULT_ILLEGAL): the server stopped it",
      "INFO match match-1 ended: void: no reason was given",
    ],
  );
});

test("with verbose each message is shown, without the secrets of the session", () => {
  const { log, lines } = listening();
  const player = newPlayer(log, true);
  said(player, welcome({ resumeToken: "secret" }), STARTED, decision(1, 1));
  player.connect();
  const shown = lines.filter((line) => line.startsWith("DEBUG")).map((line) => line.slice(0, 20));
  assert.deepEqual(shown, [
    'DEBUG went: {"hello"',
    'DEBUG came: {"welcom',
    'DEBUG came: {"matchS',
    'DEBUG came: {"decisi',
    'DEBUG went: {"choice',
    'DEBUG went: {"hello"',
  ]);
  const secrets = [Buffer.alloc(16, 7).toString("base64"), "secret"];
  assert.ok(!secrets.some((secret) => lines.join().includes(secret)));
});

/** Play with scenes one after another, and return the lines without the times of pauses, and the exit code. */
async function played(server: Server, leave = new AbortController()): Promise<[string[], number]> {
  const { log, lines } = listening();
  const player = new Player((match) => new Quick(match), { name: "ana", nonce: new Uint8Array(16) }, { log });
  const over = await play(player, server, { retire: leave.signal, leave: leave.signal }, log);
  const told = lines.map((line) => line.replace(/(?<=again in )\d+\.\d\d(?= s)/, "N"));
  return [told, over.exitCode];
}

function dismiss(stage: Stage): void {
  stage.say(goodbye());
  stage.end();
}

async function serveScenes(
  context: { after(end: () => void): void },
  ...scenes: ((stage: Stage) => void)[]
): Promise<Server> {
  return serve(context, async (stage) => {
    await stage.hear();
    scenes.shift()?.(stage);
  });
}

test("connections that end", async (context) => {
  const named = new Metadata();
  named.set("retry-after-ms", "1");
  const server = await serveScenes(
    context,
    (stage) => {
      stage.say(welcome());
      stage.end();
    },
    (stage) => stage.end(status.UNAVAILABLE, named),
    (stage) => {
      stage.say(welcome(), { body: { $case: "draining", value: { sentence: "back soon", closingInMs: 0 } } });
      stage.end();
    },
    (stage) => {
      stage.say(goodbye({ sentence: "come back", retryAfterMs: 1 }));
      stage.end();
    },
    dismiss,
  );
  assert.deepEqual(await played(server), [
    [
      "INFO connected; games: ",
      "INFO the connection broke (the stream ended); trying again in N s",
      "INFO the connection broke (the script says so); trying again in N s",
      "INFO connected; games: ",
      "INFO the server is going down: back soon",
      "INFO the server has gone down; trying again in N s",
      "INFO the server said goodbye for now: come back; trying again in N s",
      "INFO the server said goodbye: no reason was given",
    ],
    0,
  ]);
});

test("a session that the server ends with an error", async (context) => {
  const server = await serveScenes(context, (stage) => stage.end(status.NOT_FOUND));
  const sentence = `ERROR the server at ${server.address} ended the session (NOT_FOUND): the script says so`;
  assert.deepEqual(await played(server), [[sentence], 3]);
  const strict = await serveScenes(context, (stage) => {
    stage.say(goodbye({ sentence: "not in order", fault: Fault.FAULT_MALFORMED }));
    stage.end(status.INVALID_ARGUMENT);
  });
  const said = `ERROR the server at ${strict.address} ended the session (INVALID_ARGUMENT): not in order`;
  assert.deepEqual(await played(strict), [[said], 3]);
});

test("a server that does not answer, and the proxy that is not used", async (context) => {
  let nowMs = 0;
  const { address, credentials } = await serveScenes(context);
  const server = { address: address.replace(/\d+$/, "1"), token: "", event: "", credentials };
  const unreachable = async () => {
    const clock = () => {
      nowMs += 31_000;
      return nowMs;
    };
    const player = new Player((match) => new Quick(match), { name: "ana", nonce: new Uint8Array(16) }, { clock });
    const never = new AbortController().signal;
    return play(player, server, { retire: never, leave: never });
  };
  const sentence = `the server at ${server.address} does not answer (connect ECONNREFUSED ${server.address})`;
  // Test files have a process each, so no other test sees this.
  for (const name of Object.keys(process.env).filter((name) => /_proxy$/i.test(name))) {
    delete process.env[name];
  }
  assert.deepEqual(await unreachable(), { exitCode: 3, sentence });
  for (const name of ["GRPC_PROXY", "https_proxy"]) {
    process.env[name] = "http://127.0.0.1:9";
    assert.deepEqual(await unreachable(), { exitCode: 3, sentence: `${sentence}; the proxy in ${name} is not used` });
    assert.equal((await played(await serveScenes(context, dismiss)))[1], 0);
    delete process.env[name];
  }
});

test("a look after the first connection ends the bot, if the server was never reached", async (context) => {
  const never = new AbortController();
  const look = async () => "is of another kind";
  const absent = { ...(await serveScenes(context, (stage) => stage.end(status.UNAVAILABLE))), look };
  assert.deepEqual(await played(absent, never), [[`ERROR the server at ${absent.address} is of another kind`], 3]);
  const present = await serveScenes(
    context,
    (stage) => {
      stage.say(welcome());
      stage.end();
    },
    (stage) => stage.end(status.UNAVAILABLE),
    (stage) => stage.end(status.NOT_FOUND),
  );
  const [lines] = await played({ ...present, look: () => assert.fail("it was connected") }, never);
  assert.equal(lines.length, 4);
});
