// Where the cards of a standing ladder come from, by docs/protocol.md and docs/standing-ladder/deals.md.

import { createHash, createHmac } from "node:crypto";

/** Return a SHA-256. Texts are taken as UTF-8. */
export function sha256(data) {
  return createHash("sha256").update(data).digest();
}

/** Return the link so many steps before another one. */
export function linkBefore(link, steps) {
  let found = link;
  for (let step = 0; step < steps; step++) found = sha256(found);
  return found;
}

/** Return the secret of the epoch whose link this is. */
export function secretOf(link) {
  return sha256(`ordago-epoch-1|${link.toString("hex")}`);
}

/** Return the name of the match of this number. */
export function matchId(secret, number) {
  return hmac(secret, `ordago-name-1|match|${number}`).subarray(0, 16).toString("hex");
}

/** Return the seed text of a match; names ascend by their code points. */
export function seedText(begin, seating, players) {
  const table = seating.seats.map((seat) => [players.get(seat.player).name, seat.nonce]);
  table.sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const nonces = table.map(([name, nonce]) => `${name}:${nonce}`).join(",");
  const event = `${begin.ladder}/${begin.epoch}${seating.kind === "unrated" ? "/unrated" : ""}`;
  return `ordago-shuffle-1|${seating.game}|${event}|${nonces}|${seating.number}|0`;
}

/** Return cards in the order in which they are dealt. */
export function shuffled(cards, secret, seed, deal, shuffle) {
  const dealt = [...cards].sort((one, other) => one - other);
  const numbers = numbersOf(secret, `${seed}|${deal}|${shuffle}`);
  for (let last = dealt.length - 1; last > 0; last--) {
    const bound = last + 1;
    let number = numbers.next().value;
    while (number >= 2 ** 32 - (2 ** 32 % bound)) number = numbers.next().value;
    const other = number % bound;
    [dealt[last], dealt[other]] = [dealt[other], dealt[last]];
  }
  return dealt;
}

function* numbersOf(secret, text) {
  for (let block = 0; ; block++) {
    const bytes = hmac(secret, `${text}|${block}`);
    for (let at = 0; at < bytes.length; at += 4) yield bytes.readUInt32BE(at);
  }
}

function hmac(key, text) {
  return createHmac("sha256", key).update(text).digest();
}
