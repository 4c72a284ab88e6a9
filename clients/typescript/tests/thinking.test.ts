// Bots that take their time: their answers are promises.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Bot, type Decision, Match } from "ordago";
import { type Answer, MatchStart } from "ordago/v1";
import { Player } from "../dist/player.js";
import { accepted, answerOf, bodies, choicesIn, decision, end, refused, said, start, welcome } from "./messages.js";

/** A player whose bots answer when the test says so; those of odd matches at once. */
class Scene {
  nowMs = 0;
  retires = false;
  readonly thoughts: PromiseWithResolvers<Answer>[] = [];
  readonly player: Player;
  /** The number of times that the player announced answers. */
  calls = 0;

  constructor() {
    const scene = this;
    class Thinking extends Bot {
      override choose({ matchHandle, number }: Decision) {
        return matchHandle % 2 ? answerOf(number) : scene.think(this);
      }

      override refused() {
        return scene.think(this);
      }
    }
    const factory = (match: Match) => new Thinking(match);
    this.player = new Player(factory, { name: "ana", nonce: new Uint8Array(16) }, { clock: () => this.nowMs });
    this.player.onReady = () => this.calls++;
    this.player.connect();
    said(this.player, welcome());
  }

  think(bot: Bot): Promise<Answer> {
    if (this.retires) {
      bot.retire();
    }
    const thought = promiseWithResolvers<Answer>();
    this.thoughts.push(thought);
    return thought.promise;
  }

  /** End a thought, and lets everybody hear of it. */
  async answer(index: number, amount: number): Promise<void> {
    this.thoughts[index]?.resolve(answerOf(amount));
    await turn();
  }

  /** Return the answers, match by match: the amount of each and its thinking time. */
  ready(): (readonly [number, number | undefined, number | undefined])[] {
    const choices = choicesIn(bodies(this.player.ready()));
    return choices.map(({ matchHandle, answer, thoughtMs }) => [matchHandle, answer?.amount, thoughtMs]);
  }

  resume(): void {
    this.player.connect();
    assert.deepEqual(said(this.player, welcome({ resumed: true })), []);
  }
}

interface PromiseWithResolvers<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

function promiseWithResolvers<Value>(): PromiseWithResolvers<Value> {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((resolved, rejected) => {
    [resolve, reject] = [resolved, rejected];
  });
  return { promise, resolve, reject };
}

test("a match is not held up by a bot that thinks about another", async () => {
  const scene = new Scene();
  const replies = choicesIn(
    said(scene.player, start(1), start(2), start(3), decision(1, 1), decision(2, 1), decision(3, 1)),
  );
  assert.deepEqual(
    replies.map(({ matchHandle }) => matchHandle),
    [1, 3],
  );
  assert.equal(scene.calls, 0);
  scene.nowMs = 40;
  await scene.answer(0, 7);
  assert.equal(scene.calls, 1);
  assert.deepEqual(scene.ready(), [[2, 7, 40]]);
  assert.deepEqual(scene.ready(), []);
});

test("thoughts that are over before they are asked for go out in one frame", async () => {
  const scene = new Scene();
  said(scene.player, start(2), start(4), decision(2, 1), decision(4, 1));
  scene.thoughts[1]?.resolve(answerOf(4));
  await scene.answer(0, 2);
  assert.deepEqual(scene.ready(), [
    [4, 4, 0],
    [2, 2, 0],
  ]);
});

test("a decision that comes again while the bot thinks is asked once and answered once", async () => {
  const scene = new Scene();
  said(scene.player, start(2), decision(2, 1));
  scene.resume();
  scene.nowMs = 100;
  assert.deepEqual(said(scene.player, start(2), decision(2, 1)), []);
  scene.nowMs = 150;
  await scene.answer(0, 7);
  assert.equal(scene.thoughts.length, 1);
  assert.deepEqual(scene.ready(), [[2, 7, 50]]); // It arrived when it came last.
});

test("an answer that becomes ready between two connections is given when the decision comes again", async () => {
  const scene = new Scene();
  said(scene.player, start(2), decision(2, 1));
  scene.player.connect();
  await scene.answer(0, 7);
  assert.deepEqual(scene.ready(), []);
  const [again] = choicesIn(said(scene.player, welcome({ resumed: true }), start(2), decision(2, 1)));
  assert.equal(again?.answer?.amount, 7);
});

test("an answer that was ready when the connection broke is not sent twice", async () => {
  const scene = new Scene();
  said(scene.player, start(2), decision(2, 1));
  await scene.answer(0, 7);
  scene.resume();
  assert.equal(choicesIn(said(scene.player, start(2), decision(2, 1))).length, 1);
});

test("an answer to a decision that is closed is kept back, and the next one counts", async () => {
  const scene = new Scene();
  said(scene.player, start(2), decision(2, 1), accepted(2, 1), decision(2, 2));
  assert.equal(scene.thoughts.length, 1);
  await scene.answer(0, 1);
  assert.deepEqual(scene.ready(), []);
  scene.nowMs = 30;
  await scene.answer(1, 2);
  assert.deepEqual(scene.ready(), [[2, 2, 30]]);
});

test("the calls of a bot never overlap, and come in order", async () => {
  const calls: string[] = [];
  const thoughts: (() => void)[] = [];
  class Slow extends Bot {
    override async choose({ number }: Decision) {
      calls.push(`choose ${number}`);
      await new Promise<void>((resolve) => thoughts.push(resolve));
      calls.push(`chosen ${number}`);
      return answerOf(number);
    }

    override async forfeited() {
      calls.push("forfeited");
      await turn();
      calls.push("heard");
    }

    override ended() {
      calls.push("ended");
    }
  }
  const player = new Player((match) => new Slow(match), { name: "ana", nonce: new Uint8Array(16) });
  player.connect();
  said(player, welcome(), start(2), decision(2, 1), accepted(2, 1), decision(2, 2), accepted(2, 2), decision(2, 3));
  const forfeited = { body: { $case: "forfeited", value: { matchHandle: 2, sentence: "", fault: 0 } } } as const;
  said(player, forfeited, end(2));
  assert.deepEqual(calls, ["choose 1"]);
  thoughts[0]?.();
  await player.settled();
  // Decision 2 was closed before the bot had time for it, and decision 3 with the match.
  assert.deepEqual(calls, ["choose 1", "chosen 1", "forfeited", "heard", "ended"]);
});

test("a bot may be made later, and what comes meanwhile waits", async () => {
  let make: (bot: Bot) => void = () => {};
  class Counting extends Bot {
    override choose({ number }: Decision) {
      return answerOf(number);
    }
  }
  const factory = () => new Promise<Bot>((resolve) => (make = resolve));
  const player = new Player(factory, { name: "ana", nonce: new Uint8Array(16) });
  player.connect();
  assert.deepEqual(said(player, welcome(), start(2), decision(2, 1)), []);
  make(new Counting(new Match(MatchStart.fromPartial({}))));
  await turn();
  assert.equal(choicesIn(bodies(player.ready())).length, 1);
});

test("a bot hears when its decision is closed, and may give up", async () => {
  const signals: AbortSignal[] = [];
  class Waiting extends Bot {
    override choose({ signal }: Decision) {
      signals.push(signal);
      return new Promise<Answer>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    }
  }
  const player = new Player((match) => new Waiting(match), { name: "ana", nonce: new Uint8Array(16) });
  player.connect();
  said(player, welcome(), start(2), decision(2, 1));
  assert.equal(signals[0]?.aborted, false);
  said(player, accepted(2, 1), decision(2, 2));
  assert.equal(signals[0]?.aborted, true);
  await turn();
  assert.equal(signals[1]?.aborted, false);
  said(player, end(2));
  await player.settled();
  assert.deepEqual([signals[1]?.aborted, player.summary.failures, signals.length], [true, 0, 2]);
});

test("what waits for a bot is dropped when its session is lost", async () => {
  const scene = new Scene();
  said(scene.player, start(2), decision(2, 1), accepted(2, 1), decision(2, 2));
  scene.player.connect();
  said(scene.player, welcome());
  await scene.answer(0, 1);
  assert.equal(scene.thoughts.length, 1);
  assert.deepEqual(scene.ready(), []);
});

test("an answer to a match that is over is kept back", async () => {
  const scene = new Scene();
  said(scene.player, start(2), decision(2, 1), end(2), start(2, { matchId: "another" }), decision(2, 1));
  await scene.answer(0, 1);
  assert.deepEqual(scene.ready(), []);
});

test("a refusal may be thought about, too", async () => {
  const scene = new Scene();
  assert.equal(choicesIn(said(scene.player, start(1), decision(1, 1), refused(1, 1))).length, 1);
  await scene.answer(0, 7);
  assert.deepEqual(scene.ready(), [[1, 7, 0]]);
});

test("who retires while it thinks says so with its answer", async () => {
  const scene = new Scene();
  scene.retires = true;
  assert.deepEqual(said(scene.player, start(2), decision(2, 1)), []);
  await scene.answer(0, 7);
  assert.deepEqual(
    bodies(scene.player.ready()).map((body) => body?.$case),
    ["choice", "retire"],
  );
});

test("a bot that fails while it thinks makes itself heard", async () => {
  const scene = new Scene();
  said(scene.player, start(2), decision(2, 1));
  scene.thoughts[0]?.reject(new Error("the worker is gone"));
  await turn();
  assert.equal(scene.calls, 1);
  assert.throws(() => scene.player.ready(), /the worker is gone/);
});
