// The transcripts that all SDKs have in common: what a client says in which case.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { status } from "@grpc/grpc-js";
import { Bot, type BotFactory, type Decision, defaultAnswer, type LogEvent, type Match } from "ordago";
import { Answer, type LegalAction, PlayRequest, PlayResponse } from "ordago/v1";
import { Player } from "../dist/player.js";

const FOLDER = new URL("../../transcripts/", import.meta.url);

interface Frame {
  readonly bytes: string;
}

interface Step {
  readonly do: "connect" | "receive" | "lost" | "retire" | "leave";
  readonly at_ms?: number;
  readonly frame?: Frame;
  readonly thinks_ms?: number;
  readonly sends?: Frame | null;
  readonly told?: readonly string[];
  readonly status?: keyof typeof status;
  readonly sentence?: string;
  readonly retry_after_ms?: number;
  readonly then?: { readonly pause_ms: number } | { readonly over: number };
  readonly log?: readonly { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[];
}

interface Transcript {
  readonly shows: string;
  readonly player: Readonly<Record<string, unknown>>;
  readonly bot: keyof typeof BOTS;
  readonly steps: readonly Step[];
}

/** The clock of a transcript, and what its bots heard in a step. */
class Stage {
  nowMs = 0;
  thinksMs = 0;
  told: string[] = [];
  logged: LogEvent[] = [];
}

function completed(action: LegalAction | undefined): Answer {
  assert(action);
  return Answer.fromPartial({
    actionChoice: { $case: "legalAction", value: action.id },
    amount: action.amount?.min,
    cards: action.picks.flatMap(({ cards, min }) => cards.slice(0, min)),
  });
}

/** A bot of a transcript, which answers by the first legal action. */
class First extends Bot {
  readonly #stage: Stage;

  constructor(match: Match, stage: Stage) {
    super(match);
    this.#stage = stage;
    this.tell("begin");
  }

  override choose(decision: Decision) {
    this.tell("choose", decision.number);
    this.#stage.nowMs += this.#stage.thinksMs;
    return completed(decision.actions[0]);
  }

  override forfeited() {
    this.tell("forfeited");
  }

  override ended() {
    this.tell("ended");
  }

  protected tell(...words: readonly (string | number)[]) {
    const [what, ...more] = words;
    this.#stage.told.push([what, this.match.start.matchHandle, ...more].join(" "));
  }
}

class Default extends First {
  override choose(decision: Decision) {
    super.choose(decision);
    return defaultAnswer(decision);
  }
}

class Insisting extends First {
  override refused(decision: Decision) {
    this.tell("refused", decision.number);
    return completed(decision.actions.at(-1));
  }
}

class Retiring extends First {
  override choose(decision: Decision) {
    this.retire();
    return super.choose(decision);
  }
}

class Failing extends First {
  override choose(decision: Decision): Answer {
    super.choose(decision);
    throw new Error("it fails");
  }

  override ended() {
    super.ended();
    throw new Error("it fails");
  }
}

class Empty extends First {
  override choose(decision: Decision) {
    super.choose(decision);
    return Answer.fromPartial({});
  }
}

class FailingAtStart extends First {
  constructor(match: Match, stage: Stage) {
    super(match, stage);
    stage.told.pop();
    throw new Error("it fails");
  }
}

const BOTS = {
  first: First,
  default: Default,
  insisting: Insisting,
  retiring: Retiring,
  failing: Failing,
  empty: Empty,
  "failing-at-start": FailingAtStart,
};

function playerOf({ player: settings, bot }: Transcript, stage: Stage): Player {
  const factory: BotFactory = (match) => new BOTS[bot](match, stage);
  const { name, version, games, nonce, max_matches, max_open_decisions, matches_in_all, on_error } = settings;
  return new Player(
    factory,
    {
      name: name as string,
      version: version as string,
      games: games as string[],
      nonce: Buffer.from(nonce as string, "hex"),
      maxMatches: max_matches as number,
      maxOpenDecisions: max_open_decisions as number,
      matchesInAll: matches_in_all as number,
      onError: on_error === "default" ? "default" : "stop",
    },
    { clock: () => stage.nowMs, log: (event) => stage.logged.push(event) },
  );
}

function take(step: Step, player: Player, stage: Stage): PlayRequest | undefined {
  switch (step.do) {
    case "connect":
      return player.connect();
    case "receive":
      return player.receive(PlayResponse.decode(Buffer.from(step.frame?.bytes ?? "", "base64")), step.at_ms);
    case "retire":
      return player.retire();
    case "leave":
      return player.leave("the bot was told to stop");
    case "lost":
      assert.deepEqual(lost(step, player, stage), step.then);
      return undefined;
  }
}

function lost(step: Step, player: Player, stage: Stage): Step["then"] {
  const { status: name = "OK", sentence = "", retry_after_ms: retryAfterMs = 0 } = step;
  const next = player.lost({ status: status[name], sentence, retryAfterMs }, 0);
  stage.logged.push("pauseMs" in next ? next.report(next.pauseMs) : next.report("127.0.0.1:7447", ""));
  return "pauseMs" in next ? { pause_ms: next.pauseMs } : { over: next.exitCode };
}

/** Return what is compared of a log: of failures neither the error, which ends the message, nor what the trace holds. */
function comparable(log: Required<Step>["log"]): unknown[] {
  return log.map(({ message, fields, ...rest }) => {
    const { error, trace, ...others } = fields;
    const words = error === undefined ? message : message.slice(0, message.lastIndexOf(String(error)));
    return { ...rest, message: words, fields: others, isTraced: trace !== undefined };
  });
}

/** Return the messages of a frame, such as they are on the wire, but for the SDK that every Hello names. */
function messagesOf(frame: PlayRequest | undefined): unknown {
  const { messages } = PlayRequest.decode(PlayRequest.encode(frame ?? { messages: [] }).finish());
  return messages.map((message) => {
    return message.body?.$case === "hello" ? { ...message.body.value, sdk: undefined } : message;
  });
}

function expected(sends: Frame | null | undefined): PlayRequest | undefined {
  return sends ? PlayRequest.decode(Buffer.from(sends.bytes, "base64")) : undefined;
}

const names = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
assert.notEqual(names.length, 0);
for (const file of names) {
  const transcript: Transcript = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"));
  test(`${file}: ${transcript.shows}`, () => {
    const stage = new Stage();
    const player = playerOf(transcript, stage);
    for (const [index, step] of transcript.steps.entries()) {
      stage.nowMs = step.at_ms ?? stage.nowMs;
      stage.thinksMs = step.thinks_ms ?? 0;
      stage.told = [];
      stage.logged = [];
      assert.deepEqual(messagesOf(take(step, player, stage)), messagesOf(expected(step.sends)), `step ${index}`);
      assert.deepEqual(stage.told, step.told ?? stage.told, `step ${index}`);
      assert.deepEqual(comparable(stage.logged as Required<Step>["log"]), comparable(step.log ?? []), `step ${index}`);
    }
  });
}
