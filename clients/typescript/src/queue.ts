import { setImmediate as turn } from "node:timers/promises";

/** A queue of items to be handled one after another. */
export class Queue<Item> implements AsyncIterable<Item> {
  readonly #items: Item[] = [];
  #wake: () => void = () => {};

  /** Add an item at the end. */
  put(item: Item): void {
    this.#items.push(item);
    this.#wake();
  }

  /**
   * Yield items for ever. Before each, everything else that is ready in the process gets its turn: frames are stamped
   * as they arrive, pings are answered, and answers that are found at the same time are sent together.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, never> {
    for (;;) {
      if (this.#items.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      await turn();
      yield this.#items.shift() as Item;
    }
  }
}
