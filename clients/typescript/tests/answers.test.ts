import assert from "node:assert/strict";
import { test } from "node:test";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { act, actionOf, Chance, type Choosable, complete, defaultAnswer, eventsOf, take, viewOf } from "ordago";
import { Action, Answer, Decision, LegalAction } from "ordago/v1";
import { answerOf } from "../dist/answers.js";

const DRAWS = 500;

/** Complete an action again and again, each time by other chance. */
function completions(action: Parameters<typeof LegalAction.fromPartial>[0]): Answer[] {
  const legal = LegalAction.fromPartial({ id: 1, ...action });
  return Array.from({ length: DRAWS }, (_, number) => complete(legal, new Chance(new Uint8Array(16), number)));
}

test("amounts reach both ends and stay within", () => {
  const amounts = completions({ amount: { min: -1, max: 2 } }).map(({ amount }) => amount);
  assert.deepEqual(new Set(amounts), new Set([-1, 0, 1, 2]));
});

test("the widest range of amounts is drawn from evenly", () => {
  const range = { min: -(2 ** 31), max: 2 ** 31 - 1 };
  const negative = completions({ amount: range }).filter(({ amount }) => (amount ?? 0) < 0).length;
  assert.ok(negative > DRAWS / 3 && negative < (DRAWS * 2) / 3);
});

test("no amount is given where none is open", () => {
  assert.ok(completions({}).every(({ amount, cards }) => amount === undefined && cards.length === 0));
});

test("each group gets its number of different cards", () => {
  // No SDK knows the cards from 200 on: a newer server may offer them all the same.
  const optional = { cards: [1, 2, 3], min: 0, max: 3 };
  const exact = { cards: [200, 201, 202], min: 2, max: 2 };
  const optionalCounts = new Set<number>();
  for (const { cards } of completions({ picks: [optional, exact] })) {
    const fromExact = cards.filter((card) => exact.cards.includes(card)).length;
    assert.equal(fromExact, 2);
    assert.equal(cards.length, new Set(cards).size);
    optionalCounts.add(cards.length - fromExact);
  }
  assert.deepEqual(optionalCounts, new Set([0, 1, 2, 3]));
});

test("an action of a game that nobody knows can be chosen by its number", () => {
  const unknownArm = new BinaryWriter()
    .uint32((99 << 3) | 2)
    .string("an action of another game")
    .finish();
  const legal = { ...LegalAction.fromPartial({ id: 7 }), action: Action.decode(unknownArm) };
  assert.deepEqual(answerOf(legal).actionChoice, { $case: "legalAction", value: 7 });
});

test("a legal action, a typed action and an answer can be chosen", () => {
  const typed = act("mittlere", { card: 29 });
  assert.deepEqual(answerOf(typed).actionChoice, { $case: "action", value: typed });
  const answer = complete(LegalAction.fromPartial({ id: 3 }), new Chance(new Uint8Array(16), 1));
  assert.equal(answerOf(answer), answer);
});

test("nothing else can be chosen", () => {
  for (const nothing of [undefined, null]) {
    assert.throws(() => answerOf(nothing as unknown as Choosable), /it returned no answer/);
  }
  for (const [kind, wrong] of [
    ["number", 3],
    ["string", "pass"],
    ["Object", {}],
    ["Array", []],
  ]) {
    const message = `it returned ${kind}, no answer: choose a LegalAction, an Action or an Answer`;
    assert.throws(() => answerOf(wrong as unknown as Choosable), { name: "TypeError", message });
  }
  assert.throws(() => defaultAnswer(Decision.fromPartial({ number: 4 })), /decision 4 came without a default answer/);
});

test("an answer has to name an action, unless it is the default answer", () => {
  const empty = Answer.fromPartial({ amount: 3 });
  assert.throws(() => answerOf(empty), /its answer names no action/);
  assert.throws(() => answerOf(empty, Answer.fromPartial({})), /its answer names no action/);
  assert.equal(answerOf(empty, Answer.fromPartial({ amount: 3 })), empty);
});

test("a legal action is taken with its open parts", () => {
  const { actionChoice, ...parts } = take(LegalAction.fromPartial({ id: 3 }), { cards: [29], extra: 2 });
  assert.deepEqual([actionChoice?.value, parts.cards, parts.amount, parts.extra], [3, [29], undefined, 2]);
});

test("views, actions and events are read by the messages of their game, and of no other", () => {
  const decision = Decision.fromPartial({
    view: { game: { $case: "mittlere", value: { hand: [29] } } },
    events: [{ game: { $case: "mittlere", value: { card: 30 } } }],
    actions: [{ id: 1, action: { game: { $case: "mittlere", value: { card: 29 } } } }],
  });
  assert.deepEqual(viewOf(decision, "mittlere").hand, [29]);
  assert.deepEqual(
    eventsOf(decision, "mittlere").map(({ card }) => card),
    [30],
  );
  assert.equal(actionOf(decision.actions[0] as LegalAction, "mittlere").card, 29);
  assert.throws(() => viewOf(decision, "mus"), /is of mittlere, not of mus/);
  assert.throws(() => viewOf(Decision.fromPartial({}), "mus"), /is of a game unknown here/);
});

test("more than there is cannot be drawn", () => {
  const chance = new Chance(new Uint8Array(16), 1);
  assert.throws(() => chance.oneOf([]), RangeError);
  assert.deepEqual(new Set(chance.sample([1, 2, 3], 3)), new Set([1, 2, 3]));
});
