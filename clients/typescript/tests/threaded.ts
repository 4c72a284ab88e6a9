// A bot that thinks in two workers, for the tests of threads. The folder in THREADED is where its methods meet.
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { Bot, type Chance, type Decision, type Match, run } from "ordago";
import type { Answer } from "ordago/v1";
import { answerOf } from "./messages.js";

const FOLDER = process.env["THREADED"] ?? "";
const MANNER = process.env["MANNER"];

function tell(text: string): void {
  appendFileSync(join(FOLDER, "told"), `${text}\n`);
}

/** Keep the thread busy until there is a file. */
function waitFor(name: string): void {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(join(FOLDER, name))) {
    Atomics.wait(clock, 0, 0, 1);
  }
}

class Threaded extends Bot {
  override choose(decision: Decision, chance: Chance): Answer | Promise<Answer> {
    if (MANNER === "waits") {
      writeFileSync(join(FOLDER, "thinks"), "");
      return new Promise((resolve) => {
        decision.signal.addEventListener("abort", () => {
          tell("aborted");
          resolve(answerOf(1));
        });
      });
    }
    if (MANNER === "dies") {
      process.exit(7);
    }
    if (MANNER === "fails") {
      throw new RangeError("no idea");
    }
    const { matchHandle } = decision;
    tell(
      `match ${matchHandle}: thread ${threadId > 0}, in time ${decision.timeLeft() > 0 && decision.timeLeft() <= 60_000}`,
    );
    writeFileSync(join(FOLDER, `thinks-${matchHandle}`), "");
    waitFor("go");
    return answerOf(chance.integer(0, 1_000));
  }

  override refused(_decision: Decision, _refusal: unknown, chance: Chance) {
    this.retire();
    return answerOf(chance.integer(0, 1_000));
  }

  override ended() {
    tell(`match ${this.match.start.matchHandle} ended`);
  }
}

function makeBot(match: Match): Bot {
  if (MANNER === "fails-at-start") {
    throw new Error("no model");
  }
  return new Threaded(match);
}

await run(makeBot, { name: "threaded", threads: 2 });
