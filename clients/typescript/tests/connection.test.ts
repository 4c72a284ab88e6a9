// What a player and its connection do together, at a server on this machine.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Metadata, status } from "@grpc/grpc-js";
import { Bot, type Decision, type LogEvent, type Match } from "ordago";
import type { Answer } from "ordago/v1";
import { Player } from "../dist/player.js";
import type { Receipt } from "../dist/receipts.js";
import { play, type Stop } from "../dist/transport.js";
import { answerOf, choicesIn, decision, goodbye, start, welcome } from "./messages.js";
import { type Stage, serve } from "./server.js";

class Quick extends Bot {
  override choose(_decision: Decision): Answer | Promise<Answer> {
    return answerOf(1);
  }
}

function newPlayer(factory = (match: Match): Bot => new Quick(match), keep?: (receipt: Receipt) => void): Player {
  return new Player(factory, { name: "ana", nonce: new Uint8Array(16) }, { keep });
}

function neverTold(): Stop {
  return { retire: new AbortController().signal, leave: new AbortController().signal };
}

async function dismiss(stage: Stage): Promise<void> {
  await stage.hear();
  stage.say(welcome(), goodbye({ sentence: "that was all" }));
  stage.end();
}

test("a bot that thinks holds up no other match, and what it thought at one time is one frame", async (context) => {
  const wakes: (() => void)[] = [];
  class Slow extends Bot {
    override async choose({ matchHandle }: Decision) {
      if (matchHandle > 1) {
        await new Promise<void>((resolve) => wakes.push(resolve));
      }
      return answerOf(matchHandle);
    }
  }
  const heard: number[][] = [];
  const server = await serve(context, async (stage) => {
    const listen = async () => heard.push(choicesIn(await stage.hear()).map(({ matchHandle }) => matchHandle));
    await stage.hear();
    stage.say(welcome(), start(1), start(2), start(3), decision(2, 1), decision(3, 1));
    stage.say(decision(1, 1));
    await listen();
    for (const wake of wakes) {
      wake();
    }
    await listen();
    stage.say(goodbye());
    stage.end();
  });
  const over = await play(
    newPlayer((match) => new Slow(match)),
    server,
    neverTold(),
  );
  assert.equal(over.exitCode, 0);
  assert.deepEqual(heard, [[1], [2, 3]]);
});

test("token and event come along with the call", async (context) => {
  const metadata: Record<string, unknown>[] = [];
  const server = await serve(context, async (stage) => {
    metadata.push(stage.metadata.getMap());
    await dismiss(stage);
  });
  await play(newPlayer(), { ...server, token: "let-me-in", event: "friday" }, neverTold());
  assert.equal(metadata[0]?.["authorization"], "Bearer let-me-in");
  assert.equal(metadata[0]?.["ordago-event"], "friday");
});

test("two players of a process do not share a connection", async (context) => {
  const peers = new Set<string>();
  const leave = new AbortController();
  const server = await serve(context, async (stage) => {
    peers.add(stage.peer);
    await stage.hear();
    if (peers.size === 2) {
      leave.abort();
    }
    await stage.hear(); // It ends its side.
    stage.end();
  });
  const stop = { retire: leave.signal, leave: leave.signal };
  await Promise.all([play(newPlayer(), server, stop), play(newPlayer(), server, stop)]);
  assert.equal(peers.size, 2);
});

test("what the server says of its event is kept before it is told the nonce", async (context) => {
  const receipts: Receipt[] = [];
  const keep = (receipt: Receipt) => receipts.push(receipt);
  const event = { event: "friday", commitment: Buffer.from([1]), secretDigest: Buffer.from([2]) };
  const told = { settingsDigest: Buffer.from([3]), entrants: ["ana"], beacon: undefined };
  const server = await serve(
    context,
    async (stage) => {
      assert.equal(receipts.length, 1);
      await dismiss(stage);
    },
    { ...event, ...told },
  );
  await play(newPlayer(undefined, keep), server, neverTold());
  assert.deepEqual(receipts, [
    {
      kind: "event",
      event: "friday",
      commitment: "01",
      secret_digest: "02",
      settings_digest: "03",
      entrants: ["ana"],
      beacon: null,
      nonce: "00".repeat(16),
    },
  ]);
});

test("a server that knows no events plays none", async (context) => {
  const receipts: Receipt[] = [];
  const server = await serve(context, dismiss);
  const over = await play(
    newPlayer(undefined, (receipt) => receipts.push(receipt)),
    server,
    neverTold(),
  );
  assert.deepEqual([over.exitCode, receipts], [0, []]);
});

test("told to leave a player says so, and waits for nobody", async (context) => {
  const leave = new AbortController();
  const heard: (string | undefined)[] = [];
  const server = await serve(context, async (stage) => {
    await stage.hear();
    stage.say(welcome(), start(1), decision(1, 1));
    await stage.hear();
    leave.abort();
    heard.push(...(await stage.hear()).map((body) => body?.$case));
    stage.end();
  });
  const over = await play(newPlayer(), server, { retire: leave.signal, leave: leave.signal });
  assert.deepEqual([over.exitCode, heard], [130, ["goodbye"]]);
});

test("a server cannot drive a bot in circles by a time that no timer takes, or keep it from leaving", async (context) => {
  const retire = new AbortController();
  const lines: string[] = [];
  const server = await serve(context, async (stage) => {
    const metadata = new Metadata();
    metadata.set("retry-after-ms", "99999999999999999999");
    stage.end(status.RESOURCE_EXHAUSTED, metadata);
  });
  const log = ({ message }: LogEvent) => {
    lines.push(message);
    retire.abort();
  };
  const stop = { ...neverTold(), retire: retire.signal };
  const over = await play(newPlayer(), server, stop, log);
  assert.equal(over.exitCode, 130);
  assert.deepEqual(lines, ["the connection broke (the script says so); trying again in 2147483.65 s"]);
});

for (const [manner, failing] of [
  ["at once", () => assert.fail("no idea")],
  ["while it thinks", () => Promise.reject(new Error("no idea"))],
] as const) {
  test(`a bot that fails ${manner} ends the play`, async (context) => {
    class Failing extends Quick {
      override choose(_decision: Decision): Promise<never> {
        return failing();
      }
    }
    const server = await serve(context, async (stage) => {
      await stage.hear();
      stage.say(welcome(), start(1), decision(1, 1));
    });
    await assert.rejects(
      play(
        newPlayer((match) => new Failing(match)),
        server,
        neverTold(),
      ),
      /no idea/,
    );
  });
}
