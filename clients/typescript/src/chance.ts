import { createHash } from "node:crypto";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";

/** Chance that comes out the same for the same seed. JavaScript's own cannot be seeded. */
export class Chance {
  readonly #generator;

  /** Begins for one decision of one match. */
  constructor(seed: Uint8Array, decisionNumber: number) {
    const digest = createHash("sha256").update(seed).update(String(decisionNumber)).digest();
    this.#generator = xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => digest.readInt32LE(offset)));
  }

  /** Returns a whole number from min to max, both included. */
  integer(min: number, max: number): number {
    return uniformInt(this.#generator, min, max);
  }

  /** Returns one of some items. */
  oneOf<Item>(items: readonly Item[]): Item {
    return this.sample(items, 1)[0]!;
  }

  /** Returns some of the items, each at most once. */
  sample<Item>(items: readonly Item[], count: number): Item[] {
    const left = [...items];
    return Array.from({ length: count }, () => left.splice(this.integer(0, left.length - 1), 1)[0]!);
  }
}
