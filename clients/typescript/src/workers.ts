// Bots that think in workers: each worker runs the author's main program, whose `run` then serves bots to the process.
import { realpathSync } from "node:fs";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { answerOf } from "./answers.js";
import { Bot, type BotFactory } from "./bot.js";
import { Chance } from "./chance.js";
import { type Decision, timed } from "./decision.js";
import { Match } from "./match.js";
import type { Answer, Decision as Message } from "./ordago/v1/decision.js";
import type { Forfeited, MatchEnd, MatchStart, Refused } from "./ordago/v1/match.js";

/** The mark of a worker that this module started. */
const MARK = "a worker of ordago";

/** The first message of a worker. */
const READY = "ready";

/** The time at which the answer to a decision is due, by a clock that all threads share. */
type Deadline = number;

/** The calls of a bot that lives in a worker; `make` comes first, `ended` last. */
interface Calls {
  make(start: MatchStart): void;
  choose(decision: Message, deadline: Deadline): Answer;
  refused(decision: Message, deadline: Deadline, refusal: Refused): Answer;
  /** Close the decision that the bot thinks about. */
  abort(): void;
  forfeited(notice: Forfeited): void;
  ended(end: MatchEnd): void;
}

interface Request<Method extends keyof Calls = keyof Calls> {
  readonly call: number;
  readonly bot: number;
  readonly method: Method;
  readonly words: Parameters<Calls[Method]>;
}

interface Response {
  readonly call: number;
  readonly result: unknown;
  /** What was thrown; undefined if nothing was. */
  readonly failure: { readonly error: unknown } | undefined;
  readonly retiring: boolean;
}

/** True in a worker that serves bots. */
export const isServing = workerData === MARK;

function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Workers, each of which thinks for some of the matches. A worker that dies ends the process. */
export class Workers {
  readonly #threads: Thread[];
  /** Rejects when a worker dies. */
  readonly dead: Promise<never>;

  /** Start workers that run a script; by default that of this process. */
  constructor(count: number, script = realpathSync(process.argv[1] ?? "")) {
    this.#threads = Array.from({ length: count }, () => new Thread(script));
    this.dead = Promise.race(this.#threads.map(({ dead }) => dead));
    this.dead.catch(() => {}); // It may be awaited later.
  }

  /** Wait until all workers have run up to `run`, so that no decision waits for that. */
  async ready(): Promise<void> {
    await Promise.race([Promise.all(this.#threads.map(({ ready }) => ready)), this.dead]);
  }

  /** Make a bot in the worker that has the fewest. */
  async make({ start }: Match): Promise<Bot> {
    const thread = this.#threads.reduce((one, other) => (other.bots < one.bots ? other : one));
    const bot = new RemoteBot(new Match(start), thread);
    await bot.make();
    return bot;
  }
}

/** A worker, seen from the process that plays. */
class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve(response: Response): void }>();
  readonly ready: Promise<void>;
  readonly dead: Promise<never>;
  /** The number of bots that live there. */
  bots = 0;
  #calls = 0;

  constructor(script: string) {
    this.#worker = new Worker(script, { workerData: MARK, argv: process.argv.slice(2) });
    this.ready = new Promise((resolve) => {
      this.#worker.on("message", (message: typeof READY | Response) => {
        if (message === READY) {
          return resolve();
        }
        this.#waiting.get(message.call)?.resolve(message);
        this.#waiting.delete(message.call);
      });
    });
    this.dead = new Promise((_, reject) => {
      this.#worker.once("error", reject);
      this.#worker.once("exit", (code) => reject(new Error(`a worker of the bot ended with exit code ${code}`)));
    });
  }

  call(request: Omit<Request, "call">): Promise<Response> {
    this.#calls += 1;
    const call = this.#calls;
    this.#worker.postMessage({ ...request, call } satisfies Request);
    return new Promise((resolve) => this.#waiting.set(call, { resolve }));
  }
}

let remoteBots = 0;

/** A bot that lives in a worker. */
class RemoteBot extends Bot {
  readonly #thread: Thread;
  readonly #bot: number;

  constructor(match: Match, thread: Thread) {
    super(match);
    remoteBots += 1;
    this.#bot = remoteBots;
    this.#thread = thread;
  }

  make(): Promise<void> {
    this.#thread.bots += 1;
    return this.#call("make", this.match.start);
  }

  override choose(decision: Decision): Promise<Answer> {
    this.#abortWith(decision);
    return this.#call("choose", { ...decision }, nowMs() + decision.timeLeft());
  }

  override refused(decision: Decision, refusal: Refused): Promise<Answer> {
    this.#abortWith(decision);
    return this.#call("refused", { ...decision }, nowMs() + decision.timeLeft(), refusal);
  }

  #abortWith({ signal }: Decision): void {
    signal.addEventListener("abort", () => void this.#call("abort"), { once: true });
  }

  override forfeited(notice: Forfeited): Promise<void> {
    return this.#call("forfeited", notice);
  }

  override ended(end: MatchEnd): Promise<void> {
    this.#thread.bots -= 1;
    return this.#call("ended", end);
  }

  async #call<Method extends keyof Calls>(method: Method, ...words: Parameters<Calls[Method]>) {
    const { result, failure, retiring } = await this.#thread.call({ bot: this.#bot, method, words });
    if (retiring) {
      this.retire();
    }
    if (failure !== undefined) {
      throw failure.error;
    }
    return result as ReturnType<Calls[Method]>;
  }
}

/** Serve bots for ever to the process that started this worker. */
export function serveBots(factory: BotFactory): Promise<never> {
  const bots = new Map<number, ServedBot>();
  parentPort?.on("message", async ({ call, bot: number, method, words }: Request) => {
    const bot = bots.get(number) ?? new ServedBot(factory);
    bots.set(number, bot);
    const answer = await bot.called(method, words);
    if (method === "ended") {
      bots.delete(number);
    }
    post({ ...answer, call });
  });
  parentPort?.postMessage(READY);
  return new Promise(() => {});
}

function post(response: Response): void {
  try {
    parentPort?.postMessage(response);
  } catch {
    // What was thrown can be anything, also what cannot be posted.
    parentPort?.postMessage({ ...response, failure: { error: new Error(String(response.failure?.error)) } });
  }
}

/** A bot in its worker. */
class ServedBot {
  readonly #factory: BotFactory;
  #bot: Bot | undefined;
  #chance = new Chance(new Uint8Array(), 0);
  #controller = new AbortController();

  constructor(factory: BotFactory) {
    this.#factory = factory;
  }

  async called(method: keyof Calls, words: readonly unknown[]): Promise<Omit<Response, "call">> {
    let result: unknown;
    let failure: Response["failure"];
    try {
      result = await Reflect.apply(this[method], this, words);
    } catch (error) {
      failure = { error };
    }
    return { result, failure, retiring: this.#bot?.retiring ?? false };
  }

  async make(start: MatchStart): Promise<void> {
    this.#bot = await this.#factory(new Match(start));
  }

  async choose(decision: Message, deadline: Deadline): Promise<Answer> {
    this.#chance = new Chance(this.#known.match.seed, decision.number);
    return answerOf(await this.#known.choose(this.#until(deadline, decision), this.#chance), decision.defaultAnswer);
  }

  async refused(decision: Message, deadline: Deadline, refusal: Refused): Promise<Answer> {
    const chosen = await this.#known.refused(this.#until(deadline, decision), refusal, this.#chance);
    return answerOf(chosen, decision.defaultAnswer);
  }

  abort(): void {
    this.#controller.abort();
  }

  forfeited(notice: Forfeited): void | PromiseLike<void> {
    return this.#known.forfeited(notice);
  }

  ended(end: MatchEnd): void | PromiseLike<void> {
    return this.#known.ended(end);
  }

  get #known(): Bot {
    if (this.#bot === undefined) {
      throw new Error("a bot is made before it is called");
    }
    return this.#bot;
  }

  #until(deadline: Deadline, decision: Message): Decision {
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    const timeLeft = () => Math.max(0, deadline - nowMs());
    return timed(decision, timeLeft, () => signal);
  }
}
