// What the transcripts cannot show: chance, what is said in the log, and jitter.
import assert from "node:assert/strict";
import { test } from "node:test";
import { status } from "@grpc/grpc-js";
import { Bot, type BotFactory, type Chance, type Decision, type LogEvent } from "ordago";
import { Answer } from "ordago/v1";
import { SILENCE } from "../dist/log.js";
import { type Next, Player } from "../dist/player.js";
import {
  accepted,
  answerOf,
  choicesIn,
  decision,
  end,
  FROM_THE_FUTURE,
  goodbye,
  listening,
  refused,
  said,
  start,
  welcome,
} from "./messages.js";

/** Show by its answers what chance it was given. */
class Drawing extends Bot {
  override choose(_decision: Decision, chance: Chance) {
    return answerOf(chance.integer(0, 2 ** 31 - 1));
  }
}

const NONCE = new Uint8Array(16);
const drawing: BotFactory = (match) => new Drawing(match);

function newPlayer(factory = drawing, log = SILENCE, verbose = false): Player {
  const player = new Player(factory, { name: "ana", nonce: NONCE }, { clock: () => 0, log, verbose });
  player.connect();
  return player;
}

function warningsIn(events: readonly LogEvent[]): string[] {
  return events.filter(({ level }) => level === "WARNING").map(({ message }) => message);
}

test("the same match is played the same", () => {
  const frame = [welcome(), start(1), decision(1, 1), decision(1, 2)];
  const played = choicesIn(said(newPlayer(), ...frame));
  assert.deepEqual(choicesIn(said(newPlayer(), ...frame)), played);
  const [other] = choicesIn(said(newPlayer(), start(1, { seed: Buffer.from("other") }), decision(1, 1)));
  assert.notDeepEqual(other, played[0]);
  assert.notEqual(played[0]?.answer?.amount, played[1]?.answer?.amount);
});

test("a process that carries on in the middle has the same chance", () => {
  const [, , third] = choicesIn(said(newPlayer(), start(1), decision(1, 1), decision(1, 2), decision(1, 3)));
  assert.deepEqual(choicesIn(said(newPlayer(), start(1, { lastDecision: 2 }), decision(1, 3))), [third]);
});

test("who answers a refusal by chance draws on, and not the same again", () => {
  class Insisting extends Drawing {
    override refused(decision: Decision, _refusal: unknown, chance: Chance) {
      return this.choose(decision, chance);
    }
  }
  const player = newPlayer((match) => new Insisting(match));
  const [first, second] = choicesIn(said(player, start(1), decision(1, 1), refused(1, 1)));
  assert.notEqual(first?.answer?.amount, second?.answer?.amount);
});

test("a refusal is answered by the default answer with all that is in it", () => {
  const [, second] = choicesIn(said(newPlayer(), start(1), decision(1, 1), refused(1, 1)));
  assert(second?.answer);
  assert.deepEqual(Answer.encode(second.answer).finish(), FROM_THE_FUTURE);
});

test("refusals are told once for each match and rule", () => {
  const { log, events } = listening();
  const player = newPlayer(drawing, log);
  said(player, start(1), start(2), decision(1, 1), decision(2, 1));
  for (const rule of ["follow_suit", "follow_suit", "answer"]) {
    said(player, refused(1, 1, { rule }));
  }
  said(player, refused(2, 1, { rule: "follow_suit" }));
  assert.equal(warningsIn(events).length, 3);
});

test("why the default answer was taken is told once, also by a fault that is unknown here", () => {
  const { log, events } = listening();
  const newer: number = 250;
  const closed = accepted(1, 1, { fault: newer, sentence: "it rained", faultsLeft: 2 });
  said(newPlayer(drawing, log), start(1), decision(1, 1), closed, closed);
  assert.deepEqual(warningsIn(events), [
    "match match-1, decision 1: the default answer was taken: it rained (fault 250); 2 more and the match is forfeited",
  ]);
});

test("what speaks of no match that is known does no harm", () => {
  const { log, events } = listening();
  assert.deepEqual(said(newPlayer(drawing, log), decision(9, 1), refused(9, 1), accepted(9, 1), end(9)), []);
  assert.deepEqual(warningsIn(events), [
    "a match that is over, decision 1: not answered, since no such match was announced",
    "a match that is over, decision 1: refused: no reason was given (FAULT_UNSPECIFIED)",
  ]);
});

test("a bot that fails is not kept from failing", () => {
  const player = newPlayer(() => {
    throw new Error("no memory");
  });
  assert.throws(() => said(player, start(1)), /no memory/);
});

test("what cannot be sent is the fault of the bot, not of the connection", () => {
  class Wrong extends Bot {
    override choose() {
      return answerOf(0.5);
    }
  }
  const player = newPlayer((match) => new Wrong(match));
  const isTold = ({ message, cause }: Error) =>
    /^match match-1, decision 1: the bot failed: a bot chose an answer that cannot be sent/.test(message) &&
    cause instanceof TypeError;
  assert.throws(() => said(player, start(1), decision(1, 1)), isTold);
});

test("who is told everything is told of each answer that is taken", () => {
  const asked = (verbose: boolean) => {
    const [hello] = newPlayer(drawing, SILENCE, verbose).connect().messages;
    return hello?.body?.$case === "hello" ? hello.body.value.capabilities : undefined;
  };
  assert.deepEqual(asked(false), ["tacit_acceptance"]);
  assert.deepEqual(asked(true), []);
});

test("pauses are shorter by chance, and longer where the server names them", () => {
  const pause = (next: Next) => ("pauseMs" in next ? next.pauseMs : undefined);
  const broken = { status: status.UNAVAILABLE, sentence: "", retryAfterMs: 0 };
  assert.equal(pause(newPlayer().lost(broken, 0)), 250);
  assert.equal(pause(newPlayer().lost(broken, 0.5)), 187.5);
  assert.equal(pause(newPlayer().lost({ ...broken, retryAfterMs: 1000 }, 0)), 1000);
  assert.equal(pause(newPlayer().lost({ ...broken, retryAfterMs: 1000 }, 0.5)), 1125);
});

test("a server that answered once is not tried for ever, though it is asked for its event before each Hello", () => {
  const player = newPlayer();
  said(player, welcome(), goodbye({ retryAfterMs: 1000 }));
  const broken = { status: status.UNAVAILABLE, sentence: "", retryAfterMs: 0 };
  const pauses = [1, 2, 3].map(() => player.lost(broken, 0)).map((next) => "pauseMs" in next && next.pauseMs);
  assert.deepEqual(pauses, [1000, 250, 500]);
  assert.ok(!player.isOpen);
});
