#!/usr/bin/env node
// Plays Mittlere Jass by a few rules, without chance: it shows how a view is read.
import { act, actionOf, Bot, type Decision, run, VERSION, viewOf } from "ordago";
import { MITTLERE, suit } from "ordago/cards";
import { type Card, type MittlereView, Suit } from "ordago/v1";

class SimpleBot extends Bot {
  override choose(decision: Decision) {
    const cards = decision.actions.map((action) => actionOf(action, "mittlere").card);
    return act("mittlere", { card: chosenOf(cards, viewOf(decision, "mittlere")) });
  }
}

/** It leads what it misses least. It follows by what counts most without taking the trick, or else as it leads. */
function chosenOf(cards: readonly Card[], view: MittlereView): Card {
  const trump = view.trump?.suit ?? Suit.SUIT_UNSPECIFIED;
  const isTrump = (card: Card) => suit(card) === trump;
  const values = (card: Card) => MITTLERE.values(isTrump(card) ? "trump" : "plain");
  const height = (card: Card) => values(card).height(card);
  const beats = (card: Card, best: Card) => (suit(card) === suit(best) ? height(card) > height(best) : isTrump(card));
  const cheap = (card: Card) => [Number(isTrump(card)), height(card), card];
  const dear = (card: Card) => [-values(card).points(card), -height(card), -card];

  const [led] = view.trick;
  if (led === undefined) {
    return least(cards, cheap);
  }
  const best = view.trick.reduce((best, card) => (beats(card, best) ? card : best));
  // A card of another suit than the one led may set the trump, while there is none.
  const takes = (card: Card) => beats(card, best) || (!view.trump && suit(card) !== suit(led));
  const losing = cards.filter((card) => !takes(card));
  return losing.length > 0 ? least(losing, dear) : least(cards, cheap);
}

/** Return the card with the least key; keys are compared number by number. */
function least(cards: readonly Card[], key: (card: Card) => readonly number[]): Card {
  return cards.reduce((one, other) => (isLess(key(other), key(one)) ? other : one));
}

function isLess(one: readonly number[], other: readonly number[]): boolean {
  const place = one.findIndex((number, index) => number !== other[index]);
  return place >= 0 && (one[place] ?? 0) < (other[place] ?? 0);
}

await run((match) => new SimpleBot(match), { name: "simple-typescript", version: VERSION, games: ["mittlere"] });
