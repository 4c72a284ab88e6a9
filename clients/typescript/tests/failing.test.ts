// Bots that fail, the time that is left, and the decisions that are kept.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Bot, type Decision, type Match, type OnError } from "ordago";
import type { Answer, ServerMessage } from "ordago/v1";
import type { AskedDecision } from "../dist/decisions.js";
import { Player } from "../dist/player.js";
import { answerOf, bodies, choicesIn, decision, end, listening, refused, said, start, welcome } from "./messages.js";

class Failing extends Bot {
  override choose({ number }: Decision): Answer {
    throw new RangeError(`no idea about ${number}`);
  }

  override ended(): void {
    throw new Error("a bad loser");
  }
}

/** A player at a clock of the test, which keeps what it logs and what its bots were asked. */
function scene(factory: (match: Match) => Bot | Promise<Bot>, onError: OnError = "default") {
  const clock = { nowMs: 0 };
  const asked: AskedDecision[] = [];
  const { log, events, lines } = listening();
  const settings = { name: "ana", nonce: new Uint8Array(16), onError };
  const surroundings = { clock: () => clock.nowMs, log, keepDecision: (one: AskedDecision) => asked.push(one) };
  const player = new Player(factory, settings, surroundings);
  player.connect();
  said(player, welcome());
  const answers = (...messages: ServerMessage[]) => choicesIn(said(player, ...messages)).map(({ answer }) => answer);
  return { player, clock, asked, answers, failures: () => events.filter(({ event }) => event === "failed"), lines };
}

const DEFAULT = (({ body }) => body?.$case === "decision" && body.value.defaultAnswer)(decision(1, 1));

test("a bot that fails takes the default answer and goes on, and its author sees where", () => {
  const { answers, failures, player } = scene((match) => new Failing(match));
  assert.deepEqual(answers(start(1), decision(1, 1), decision(1, 2), end(1)), [DEFAULT, DEFAULT]);
  const words = ", decision 1: the bot failed, and the default answer is taken: no idea about 1";
  assert.deepEqual(
    failures().map(({ message }) => message),
    [
      `match match-1${words}`,
      `match match-1${words.replaceAll("1", "2")}`,
      "match match-1: the bot failed: a bad loser",
    ],
  );
  const [first, ...more] = failures().map(({ fields }) => fields as Record<string, unknown>);
  assert.match(String(first?.["trace"]), /^RangeError: no idea about 1\n.*Failing\.choose/);
  assert.deepEqual(first?.["asked"], { matchHandle: 1, number: 1, defaultAnswer: {} });
  assert.deepEqual(more, [
    { match: "match-1", decision: 2, error: "no idea about 2" },
    { match: "match-1", error: "a bad loser" },
  ]);
  assert.deepEqual([player.summary.failures, player.isClean], [3, false]);
});

test("a bot that answers nothing, or no action, has failed", () => {
  const nothing = [undefined, answerOf(1), { ...answerOf(1), actionChoice: undefined }, "pass"] as Answer[];
  class Empty extends Bot {
    override choose({ number }: Decision): Answer {
      return nothing[number - 1] as Answer;
    }
  }
  const { answers, failures } = scene((match) => new Empty(match));
  const decisions = [1, 2, 3, 4].map((number) => decision(1, number));
  assert.deepEqual(answers(start(1), ...decisions), [DEFAULT, answerOf(1), DEFAULT, DEFAULT]);
  const errors = failures().map(({ fields }) => "error" in fields && fields.error);
  assert.deepEqual(errors.slice(0, 2), ["it returned no answer", "its answer names no action"]);
  assert.equal(errors[2], "it returned string, no answer: choose a LegalAction, an Action or an Answer");
});

for (const [manner, factory] of [
  ["at once", () => assert.fail("no model")],
  ["later", () => Promise.reject(new Error("no model"))],
] as const) {
  test(`a bot that fails when it is made, ${manner}, gets no calls, and its matches are played by default`, async () => {
    const { player, answers, failures, asked } = scene(factory);
    answers(start(1), decision(1, 1));
    await turn();
    player.ready();
    assert.deepEqual(answers(decision(1, 2), refused(1, 2), end(1)), [DEFAULT, DEFAULT]);
    assert.deepEqual(
      failures().map(({ message }) => message),
      ["match match-1: the bot failed at its start, and default answers are taken: no model"],
    );
    assert.deepEqual(asked, []);
  });
}

test("a bot that fails after a promise, or at a refusal, takes the default answer, too", async () => {
  class Later extends Bot {
    override async choose(): Promise<Answer> {
      throw new Error("the worker is gone");
    }

    override refused(): Answer {
      throw new Error("insulted");
    }
  }
  const { player, answers, failures } = scene((match) => new Later(match));
  assert.deepEqual(answers(start(1), decision(1, 1)), []);
  await turn();
  assert.deepEqual(
    choicesIn(bodies(player.ready())).map(({ answer }) => answer),
    [DEFAULT],
  );
  assert.deepEqual(answers(refused(1, 1)), [DEFAULT]);
  assert.equal(failures().length, 2);
});

test("by default a failure ends the play, and no other bot is asked", () => {
  const { player, failures } = scene((match) => new Failing(match), "stop");
  assert.throws(() => said(player, start(1), start(2), decision(1, 1), decision(2, 1)), /no idea about 1/);
  assert.deepEqual([player.summary.failures, failures()], [1, []]);
});

test("a bot knows how much of its time is left, since the arrival of the decision", () => {
  const left: number[] = [];
  class Watching extends Bot {
    override choose(decision: Decision) {
      clock.nowMs += 100;
      left.push(decision.timeLeft());
      return answerOf(1);
    }

    override refused(decision: Decision) {
      return this.choose(decision);
    }
  }
  const { player, clock } = scene((match) => new Watching(match));
  const timed = (handle: number, decisionMs: number, bankMs = 0): ServerMessage => {
    const { body } = decision(handle, 1);
    assert(body?.$case === "decision");
    const value = { ...body.value, clock: { decisionMs, bankMs, lagCreditMs: 9, disconnectBankMs: 9 } };
    return { body: { $case: "decision", value } };
  };
  // The second decision waits while the bot thinks about the first.
  said(
    player,
    start(1),
    start(2),
    start(3),
    start(4),
    timed(1, 1000, 250),
    timed(2, 1000),
    timed(3, 50),
    decision(4, 1),
  );
  assert.deepEqual(left, [1150, 800, 0, Number.POSITIVE_INFINITY]);
  said(player, refused(1, 1, { timeLeftMs: 500 }), refused(4, 1));
  assert.deepEqual(left.slice(4), [400, Number.POSITIVE_INFINITY]);
});

test("the time of a decision that comes again is the new one", async () => {
  let asked: Decision | undefined;
  class Slow extends Bot {
    override choose(decision: Decision) {
      asked = decision;
      return new Promise<Answer>(() => {});
    }
  }
  const { player, clock } = scene((match) => new Slow(match));
  const timed = (decisionMs: number): ServerMessage => {
    const { body } = decision(1, 1);
    assert(body?.$case === "decision");
    const value = { ...body.value, clock: { decisionMs, bankMs: 0, lagCreditMs: 0, disconnectBankMs: 0 } };
    return { body: { $case: "decision", value } };
  };
  said(player, start(1), timed(1000));
  clock.nowMs = 400;
  assert.equal(asked?.timeLeft(), 600);
  player.connect();
  said(player, welcome({ resumed: true }), start(1), timed(500));
  clock.nowMs = 500;
  assert.equal(asked?.timeLeft(), 400);
});

test("a decision can be posted to a worker, without its function", () => {
  let posted: unknown;
  class Posting extends Bot {
    override choose(decision: Decision) {
      posted = structuredClone(decision);
      return answerOf(1);
    }
  }
  const { answers } = scene((match) => new Posting(match));
  answers(start(1), decision(1, 7));
  assert.equal((posted as Decision).number, 7);
});

test("each decision that a bot was asked is kept, with what came of it", () => {
  class Moody extends Bot {
    override choose({ number }: Decision) {
      clock.nowMs += 34.4;
      return number === 1 ? answerOf(1) : assert.fail("no mood");
    }
  }
  const { answers, asked, clock } = scene((match) => new Moody(match));
  answers(start(1), decision(1, 1), refused(1, 1, { field: "card" }), decision(1, 2));
  assert.deepEqual(
    asked.map(({ start, decision, refused, answer, milliseconds, error }) => {
      return [start.matchId, decision.number, refused?.field, answer, milliseconds, error];
    }),
    [
      ["match-1", 1, undefined, answerOf(1), 34, undefined],
      ["match-1", 1, "card", DEFAULT, 0, undefined],
      ["match-1", 2, undefined, DEFAULT, 34, "no mood"],
    ],
  );
});
