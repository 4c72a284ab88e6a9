/** A call of a bot, and what to do with its result, or with what it threw. */
interface Call {
  readonly make: () => unknown;
  readonly succeed: (result: unknown) => void;
  readonly fail: (error: unknown) => void;
}

/** The calls of one bot: they come in order and never overlap. One that returns a promise holds up those behind it. */
export class Calls {
  readonly #waiting: Call[] = [];
  #running: Promise<void> | undefined;

  /** Call at once, or when the calls before have ended. */
  add<Result>(
    make: () => Result | PromiseLike<Result>,
    succeed: (result: Result) => void,
    fail: (error: unknown) => void,
  ): void {
    this.#waiting.push({ make, succeed: succeed as Call["succeed"], fail });
    this.#advance();
  }

  /** Wait for all calls. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) {
      await this.#running;
    }
  }

  #advance(): void {
    while (this.#running === undefined) {
      const call = this.#waiting.shift();
      if (call === undefined) {
        return;
      }
      this.#begin(call);
    }
  }

  #begin({ make, succeed, fail }: Call): void {
    let result: unknown;
    try {
      result = make();
    } catch (error) {
      return fail(error);
    }
    if (!isPromised(result)) {
      return succeed(result);
    }
    this.#running = Promise.resolve(result)
      .then(succeed, fail)
      .finally(() => {
        this.#running = undefined;
        this.#advance();
      });
  }
}

function isPromised(result: unknown): result is PromiseLike<unknown> {
  return typeof (result as Partial<PromiseLike<unknown>> | undefined | null)?.then === "function";
}
