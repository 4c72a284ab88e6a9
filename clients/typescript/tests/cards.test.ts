import assert from "node:assert/strict";
import { test } from "node:test";
import { Match } from "ordago";
import { gameCards, MITTLERE, MUS, name, rank, sign, suit } from "ordago/cards";
import { Card, MatchStart, Suit } from "ordago/v1";

test("a card has a suit, a rank, a sign and a name", () => {
  const ten = Card.CARD_TEN_OF_HEARTS;
  assert.deepEqual([suit(ten), rank(ten), sign(ten), name(ten)], [Suit.SUIT_HEARTS, 10, "10♥", "ten of hearts"]);
  assert.equal(suit(Card.CARD_KING_OF_CLUBS), Suit.SUIT_CLUBS);
});

test("the Fool has no suit, and a card of a newer server nothing but a number", () => {
  assert.deepEqual([suit(Card.CARD_FOOL), rank(Card.CARD_FOOL)], [Suit.SUIT_UNSPECIFIED, 0]);
  const newer: number = 120;
  assert.deepEqual([suit(newer), rank(newer), sign(newer), name(newer)], [0, 0, "?", "card 120"]);
});

test("cards are worth what the game says, each condition by itself", () => {
  const [jack, nine] = [Card.CARD_JACK_OF_SPADES, Card.CARD_NINE_OF_SPADES];
  assert.ok(MITTLERE.values("trump").height(jack) > MITTLERE.values("trump").height(nine));
  assert.deepEqual([MITTLERE.values("trump").points(jack), MITTLERE.values("plain").points(jack)], [20, 2]);
});

test("what is unknown is an error, and never a wrong number", () => {
  assert.throws(() => MITTLERE.values("plain").points(Card.CARD_TWO_OF_CLUBS), /two of clubs is no card of this game/);
  assert.throws(() => gameCards("poker"), /the cards of poker are unknown here/);
  assert.throws(() => gameCards("mus").values("trump"), /mus has no values trump, but eight_kings, four_kings/);
});

test("a hand is sorted as a player holds it, unknown cards last", () => {
  const newer: number = 200;
  const hand = [newer, Card.CARD_ACE_OF_OROS, Card.CARD_REY_OF_BASTOS, Card.CARD_REY_OF_OROS];
  assert.deepEqual(MUS.sorted(hand).map(sign), ["Ro", "Rb", "Ao", "?"]);
  assert.equal(hand[0], newer);
});

test("a match knows who sits where", () => {
  const players = ["ana", "ben", "cleo", "dan"].map((name, seat) => ({ name, side: seat % 2 }));
  const match = new Match(MatchStart.fromPartial({ game: "mus", seat: 3, players }));
  assert.deepEqual([match.partners, match.opponents], [[1], [0, 2]]);
  assert.deepEqual([match.after(3), match.after(3, 3), match.nameOf(match.after(3))], [0, 2, "ana"]);
  assert.throws(() => match.nameOf(4), /there is no seat 4 in a match of 4 seats/);
  assert.equal(match.cards.pack.length, 40);
});
