import assert from "node:assert/strict";
import { test } from "node:test";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import type { Chance } from "./chance.js";
import { ServerMessage } from "./ordago/v1/bot_service.js";
import { Answer, Decision } from "./ordago/v1/decision.js";
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

const start = (matchHandle: number, seed: string): Message => ({
  body: { $case: "matchStart", value: { matchHandle, seed: Buffer.from(seed) } },
});
// fromPartial would drop the unknown field.
const decision = (matchHandle: number, number: number): Message => ({
  body: {
    $case: "decision",
    value: { ...Decision.fromPartial({ matchHandle, number }), defaultAnswer: Answer.decode(FROM_THE_FUTURE) },
  },
});
const refused = (number: number, timeLeftMs: number): Message => ({
  body: { $case: "refused", value: { matchHandle: 1, number, timeLeftMs } },
});
const accepted = (number: number): Message => ({
  body: { $case: "accepted", value: { matchHandle: 1, number, fault: UNKNOWN_FAULT } },
});
const welcome: Message = { body: { $case: "welcome", value: {} } };
const unknown: Message = {};

const newPlayer = () => new Player(anyNumber, {});

function complete(message: Message): ServerMessage {
  return message.body?.$case === "decision" ? (message as ServerMessage) : ServerMessage.fromPartial(message);
}

function choices(player: Player, ...messages: Message[]): Choice[] {
  const reply = player.receive({ messages: messages.map(complete) });
  return (reply?.messages ?? []).map(({ body }) => {
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

test("a decision that is asked again gets the same answer", () => {
  const player = newPlayer();
  const [, second] = choices(player, start(1, "seed"), decision(1, 1), decision(1, 2));
  assert.deepEqual(choices(player, welcome, start(1, "seed"), decision(1, 2)), [second]);
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

test("a refusal of a closed decision is left alone", () => {
  const player = newPlayer();
  choices(player, start(1, "seed"), decision(1, 3));
  assert.deepEqual(choices(player, refused(2, 1000), refused(3, 0), accepted(3), refused(3, 1000)), []);
});
