import { createHash } from "node:crypto";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";

const NUMBER_BYTES = 4;

/** Random numbers that repeat for the same seed; those of JavaScript cannot be seeded. */
export class Chance {
  readonly #generator;

  /** Seed the numbers for one decision of a match. */
  constructor(seed: Uint8Array, decisionNumber: number) {
    const number = Buffer.alloc(NUMBER_BYTES);
    number.writeUInt32BE(decisionNumber);
    const digest = createHash("sha256").update(seed).update(number).digest();
    this.#generator = xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => digest.readInt32LE(offset)));
  }

  /** Return a whole number from min to max, both included, each as likely as the others. */
  integer(min: number, max: number): number {
    return uniformInt(this.#generator, min, max);
  }

  /**
   * Return one of the items.
   *
   * @throws RangeError if there are none
   */
  oneOf<Item>(items: readonly Item[]): Item {
    return this.sample(items, 1)[0] as Item;
  }

  /**
   * Return some of the items in any order, each at most once; all of them are shuffled.
   *
   * @throws RangeError if there are fewer
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
