import { setImmediate as turn } from "node:timers/promises";

/** What is to be handled, one thing after the other, in the order in which it came. */
export class Mailbox<Letter> implements AsyncIterable<Letter> {
  readonly #letters: Letter[] = [];
  #wake: () => void = () => {};

  /** Puts something in, to be handled when all before it is. */
  put(letter: Letter): void {
    this.#letters.push(letter);
    this.#wake();
  }

  /**
   * Gives out what was put in, for ever. Before each, whatever else is ready in the process gets its turn: frames that
   * come are stamped and pings are answered, and thoughts that are over at the same time are sent together.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Letter, never> {
    for (;;) {
      if (this.#letters.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      await turn();
      yield this.#letters.shift() as Letter;
    }
  }
}
