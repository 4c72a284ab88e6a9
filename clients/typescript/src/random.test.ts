import assert from "node:assert/strict";
import { test } from "node:test";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { Chance } from "./chance.js";
import { type Answer, Decision, LegalAction } from "./ordago/v1/decision.js";
import { Action } from "./ordago/v1/games.js";
import { random } from "./random.js";

const DRAWS = 500;

/** Answers a decision again and again, each time by other chance. */
function answersTo(decision: Parameters<typeof Decision.fromPartial>[0]): Answer[] {
  const complete = Decision.fromPartial(decision);
  return Array.from({ length: DRAWS }, (_, number) => random(complete, new Chance(new Uint8Array(16), number)));
}

test("amounts reach both ends and stay within", () => {
  const amounts = answersTo({ actions: [{ id: 1, amount: { min: -1, max: 2 } }] }).map(({ amount }) => amount);
  assert.deepEqual(new Set(amounts), new Set([-1, 0, 1, 2]));
});

test("the widest range of amounts is drawn from evenly", () => {
  const range = { min: -(2 ** 31), max: 2 ** 31 - 1 };
  const amounts = answersTo({ actions: [{ id: 1, amount: range }] }).map(({ amount }) => amount!);
  const negative = amounts.filter((amount) => amount < 0).length;
  assert.ok(negative > DRAWS / 3 && negative < (DRAWS * 2) / 3);
});

test("no amount is given where none is open", () => {
  assert.ok(answersTo({ actions: [{ id: 1 }] }).every(({ amount, cards }) => amount === undefined && !cards.length));
});

test("each group gets its number of different cards", () => {
  // No generator knows the cards from 200 on: a newer server may offer them all the same.
  const optional = { cards: [1, 2, 3], min: 0, max: 3 };
  const exact = { cards: [200, 201, 202], min: 2, max: 2 };
  const optionalCounts = new Set<number>();
  for (const { cards } of answersTo({ actions: [{ id: 1, picks: [optional, exact] }] })) {
    const fromExact = cards.filter((card) => exact.cards.includes(card)).length;
    const fromOptional = cards.filter((card) => optional.cards.includes(card)).length;
    assert.equal(fromExact, 2);
    assert.equal(fromExact + fromOptional, new Set(cards).size);
    assert.equal(cards.length, new Set(cards).size);
    optionalCounts.add(fromOptional);
  }
  assert.deepEqual(optionalCounts, new Set([0, 1, 2, 3]));
});

test("extras are said now and then", () => {
  const said = answersTo({ actions: [{ id: 1 }], extras: [{ id: 1 }, { id: 2 }] }).map(({ extra }) => extra);
  assert.deepEqual(new Set(said), new Set([0, 1, 2]));
  assert.ok(said.filter((extra) => extra === 0).length > DRAWS / 2);
});

test("a game that nobody knows is played", () => {
  const unknownArm = new BinaryWriter().uint32((99 << 3) | 2).string("an action of another game").finish();
  const legal = { ...LegalAction.fromPartial({ id: 7 }), action: Action.decode(unknownArm) };
  const decision = { ...Decision.fromPartial({}), actions: [legal] };
  const answer = random(decision, new Chance(new Uint8Array(16), 1));
  assert.deepEqual(answer.actionChoice, { $case: "legalAction", value: 7 });
});
