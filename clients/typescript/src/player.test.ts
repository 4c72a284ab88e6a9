import assert from "node:assert/strict";
import { test } from "node:test";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import type { Chance } from "./chance.js";
import { log } from "./log.js";
import { type BotMessage, type Hello, ServerMessage } from "./ordago/v1/bot_service.js";
import { Answer, Decision } from "./ordago/v1/decision.js";
import { Fault } from "./ordago/v1/faults.js";
import type { Choice } from "./ordago/v1/match.js";
import { Player } from "./player.js";

type Message = Parameters<typeof ServerMessage.fromPartial>[0];

/** Stands for a bot: it shows by its answers what chance it was given. */
function anyNumber(_decision: Decision, chance: Chance): Answer {
  return Answer.fromPartial({ amount: chance.integer(0, 2 ** 31 - 1) });
}

/** An answer with a field that this client does not know. */
const FROM_THE_FUTURE = new BinaryWriter().uint32((99 << 3) | 0).uint32(5).finish();
/** A fault that this client does not know. */
const UNKNOWN_FAULT: number = 250;

const start = (matchHandle: number, seed: string, lastDecision = 0): Message => ({
  body: { $case: "matchStart", value: { matchHandle, seed: Buffer.from(seed), lastDecision } },
});
// fromPartial would drop the unknown field.
const decision = (matchHandle: number, number: number): Message => ({
  body: {
    $case: "decision",
    value: { ...Decision.fromPartial({ matchHandle, number }), defaultAnswer: Answer.decode(FROM_THE_FUTURE) },
  },
});
const refused = (number: number, timeLeftMs: number, rule = ""): Message => ({
  body: { $case: "refused", value: { matchHandle: 1, number, timeLeftMs, rule } },
});
const accepted = (number: number): Message => ({
  body: { $case: "accepted", value: { matchHandle: 1, number, fault: UNKNOWN_FAULT } },
});
const goodbye = (fault: number): Message => ({ body: { $case: "goodbye", value: { fault, retryAfterMs: 1500 } } });
const unknown: Message = {};
const RETIREMENT: BotMessage["body"] = { $case: "retire", value: {} };

const newPlayer = () => new Player(anyNumber, {}, () => 0);

/** Breaks the connection of a player; the first message of the next one is returned. */
function resumed(player: Player): Message {
  player.greet();
  return { body: { $case: "welcome", value: { sessionId: "s", resumed: true } } };
}

function hello(player: Player): Hello {
  const body = player.greet().messages[0]?.body;
  assert.equal(body?.$case, "hello");
  return body.value as Hello;
}

function complete(message: Message): ServerMessage {
  return message.body?.$case === "decision" ? (message as ServerMessage) : ServerMessage.fromPartial(message);
}

function bodies(player: Player, ...messages: Message[]): BotMessage["body"][] {
  const reply = player.receive({ messages: messages.map(complete) });
  return (reply?.messages ?? []).map(({ body }) => body);
}

function choices(player: Player, ...messages: Message[]): Choice[] {
  return bodies(player, ...messages).map((body) => {
    assert.equal(body?.$case, "choice");
    return body.value as Choice;
  });
}

test("the same match is played the same", () => {
  const played = choices(newPlayer(), start(1, "seed"), decision(1, 1), decision(1, 2));
  assert.deepEqual(choices(newPlayer(), start(1, "seed"), decision(1, 1), decision(1, 2)), played);
  assert.notDeepEqual(choices(newPlayer(), start(1, "other"), decision(1, 1)), played.slice(0, 1));
  assert.notEqual(played[0]?.answer?.amount, played[1]?.answer?.amount);
});

test("a process that carries on in the middle has the same chance", () => {
  const [, , third] = choices(newPlayer(), start(1, "seed"), decision(1, 1), decision(1, 2), decision(1, 3));
  assert.deepEqual(choices(newPlayer(), start(1, "seed", 2), decision(1, 3)), [third]);
});

test("a decision that comes again gets the same answer, and the bot is asked once", () => {
  let asked = 0;
  const player = new Player(() => Answer.fromPartial({ amount: ++asked }), {}, () => 0);
  const [first, again] = choices(player, start(1, "seed"), decision(1, 1), decision(1, 1));
  assert.deepEqual(again, first);
  assert.deepEqual(choices(player, resumed(player), start(1, "seed"), decision(1, 1)), [first]);
  assert.equal(asked, 1);
});

test("the answer to a refusal is the one that is repeated", () => {
  const player = newPlayer();
  const [, second] = choices(player, start(1, "seed"), decision(1, 3), refused(3, 1000));
  assert.deepEqual(choices(player, resumed(player), start(1, "seed", 2), decision(1, 3)), [second]);
});

test("a match that goes on from an earlier point is decided anew", () => {
  const player = newPlayer();
  const [first] = choices(player, start(1, "seed"), decision(1, 1), accepted(1), decision(1, 2));
  assert.deepEqual(choices(player, resumed(player), start(1, "seed"), decision(1, 1)), [first]);
});

test("the greeting that resumes says how far each match has come", () => {
  const player = newPlayer();
  choices(player, resumed(player), start(1, "a"), start(2, "b"), decision(1, 1), decision(1, 2));
  for (let time = 0; time < 2; time++) {
    assert.deepEqual(hello(player).resume?.matches, [
      { matchHandle: 1, lastDecision: 2 },
      { matchHandle: 2, lastDecision: 0 },
    ]);
  }
});

test("a thought lasts from the arrival of the frame to the last answer to it", () => {
  let now = 5000;
  const slow = () => {
    now += 200;
    return Answer.fromPartial({});
  };
  const player = new Player(slow, {}, () => now);
  const replies = choices(player, start(1, "a"), start(2, "b"), decision(1, 1), decision(2, 1));
  assert.deepEqual(replies.map(({ thoughtMs }) => thoughtMs), [400, 400]);
  now += 100;
  assert.deepEqual(choices(player, refused(1, 1000)).map(({ thoughtMs }) => thoughtMs), [500]);
});

test("a goodbye that says when to come back is no farewell", () => {
  const player = newPlayer();
  choices(player, resumed(player), goodbye(0));
  assert.deepEqual([player.farewell, player.retryAfterMs], [undefined, 1500]);
  assert.equal(hello(player).resume, undefined); // A Goodbye ends the session.
  choices(player, goodbye(Fault.FAULT_FLOODING));
  assert.equal(player.farewell?.fault, Fault.FAULT_FLOODING);
});

test("who retires says so on each connection, and plays on", () => {
  const player = newPlayer();
  choices(player, resumed(player), start(1, "a"));
  assert.deepEqual(player.retire().messages, [{ body: RETIREMENT }]);
  assert.equal(choices(player, start(2, "crossed"), decision(1, 1), decision(2, 1)).length, 2);
  assert.deepEqual(bodies(player, resumed(player)), [RETIREMENT]);
  assert.deepEqual(bodies(player, start(1, "a")), []);
});

test("who retires begins no new session", () => {
  const [lost, dismissed] = [newPlayer(), newPlayer()];
  for (const player of [lost, dismissed]) {
    choices(player, resumed(player));
    player.retire();
  }
  assert(lost.loseSession("no such session"));
  assert.equal(lost.farewell?.sentence, "no such session");
  choices(dismissed, goodbye(0));
  assert.notEqual(dismissed.farewell, undefined); // Though it might come back later.
});

test("the number of matches in all holds over sessions", () => {
  const player = new Player(anyNumber, { matchesInAll: 3 });
  choices(player, resumed(player), start(1, "a"), start(2, "b"));
  choices(player, resumed(player), start(1, "a"));
  assert.equal(hello(player).matchesInAll, 3);
  player.loseSession("no such session");
  assert.equal(hello(player).matchesInAll, 1);
  choices(player, { body: { $case: "welcome", value: { sessionId: "t" } } }, start(1, "c"));
  player.loseSession("no such session");
  assert.notEqual(player.farewell, undefined);
});

test("refusals are told once for each match and rule", (context) => {
  const warn = context.mock.method(log, "warn", () => undefined);
  const player = newPlayer();
  choices(player, start(1, "a"), start(2, "b"), decision(1, 1), decision(2, 1));
  for (const rule of ["follow_suit", "follow_suit", "answer"]) {
    choices(player, refused(1, 1000, rule));
  }
  choices(player, { body: { $case: "refused", value: { matchHandle: 2, number: 1, rule: "follow_suit" } } });
  assert.equal(warn.mock.callCount(), 3);
});

test("replies to one frame are one frame", () => {
  const replies = choices(newPlayer(), start(1, "a"), unknown, start(2, "b"), decision(1, 1), unknown, decision(2, 1));
  assert.deepEqual(replies.map(({ matchHandle }) => matchHandle), [1, 2]);
});

test("a refusal is answered by the default answer as it is", () => {
  const player = newPlayer();
  choices(player, start(1, "seed"), decision(1, 3));
  const [again] = choices(player, refused(3, 1000));
  assert.deepEqual(Answer.encode(again!.answer!).finish(), FROM_THE_FUTURE);
});

test("the last strike is left alone", () => {
  const player = newPlayer();
  choices(player, start(1, "seed"), decision(1, 3));
  assert.deepEqual(choices(player, refused(3, 1000, "follow_suit")), []);
});

test("a refusal of a closed decision is left alone", () => {
  const player = newPlayer();
  choices(player, start(1, "seed"), decision(1, 3));
  assert.deepEqual(choices(player, refused(2, 1000), refused(3, 0), accepted(3), refused(3, 1000)), []);
});
