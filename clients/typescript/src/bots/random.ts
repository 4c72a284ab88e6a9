#!/usr/bin/env node
// Plays every game that a server offers, without knowing any: it takes a legal action by chance.
import { Bot, type Chance, complete, type Decision, run, VERSION } from "ordago";

class RandomBot extends Bot {
  override choose({ actions, extras }: Decision, chance: Chance) {
    const extra = chance.oneOf([0, ...extras.map(({ id }) => id)]);
    return { ...complete(chance.oneOf(actions), chance), extra };
  }
}

await run((match) => new RandomBot(match), { name: "random-typescript", version: VERSION });
