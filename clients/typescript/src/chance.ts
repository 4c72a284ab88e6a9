import { createHash } from "node:crypto";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";

const NUMBER_BYTES = 4;

/** Chance that comes out the same for the same seed. JavaScript's own cannot be seeded. */
export class Chance {
  readonly #generator;

  /** Begins with the seed of a match and the number of a decision: each decision has chance of its own. */
  constructor(seed: Uint8Array, decisionNumber: number) {
    const number = Buffer.alloc(NUMBER_BYTES);
    number.writeUInt32BE(decisionNumber);
    const digest = createHash("sha256").update(seed).update(number).digest();
    this.#generator = xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => digest.readInt32LE(offset)));
  }

  /** Returns a whole number from min to max, both included, each as likely as the others. */
  integer(min: number, max: number): number {
    return uniformInt(this.#generator, min, max);
  }

  /**
   * Returns one of some items.
   *
   * @throws RangeError if there are none
   */
  oneOf<Item>(items: readonly Item[]): Item {
    return this.sample(items, 1)[0] as Item;
  }

  /**
   * Returns some of the items in any order, each at most once; all of them are shuffled.
   *
   * @throws RangeError if there are not so many
   */
  sample<Item>(items: readonly Item[], count: number): Item[] {
    if (count > items.length) {
      throw new RangeError(`${count} of ${items.length} items cannot be drawn`);
    }
    const drawn = [...items];
    for (let index = 0; index < count; index++) {
      const other = this.integer(index, drawn.length - 1);
      [drawn[index], drawn[other]] = [drawn[other] as Item, drawn[index] as Item];
    }
    return drawn.slice(0, count);
  }
}
