// The transcripts that all SDKs have in common: what a client says in which case.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { status } from "@grpc/grpc-js";
import { Bot, type BotFactory, type Decision, defaultAnswer, type Match, Player } from "ordago";
import { Answer, type LegalAction, PlayRequest, PlayResponse } from "ordago/v1";

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
}

interface Transcript {
  readonly shows: string;
  readonly player: Readonly<Record<string, unknown>>;
  readonly bot: "first" | "default" | "insisting" | "retiring";
  readonly steps: readonly Step[];
}

/** The clock of a transcript, and what its bots heard in a step. */
class Stage {
  nowMs = 0;
  thinksMs = 0;
  told: string[] = [];
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

const BOTS = { first: First, default: Default, insisting: Insisting, retiring: Retiring };

function playerOf({ player: settings, bot }: Transcript, stage: Stage): Player {
  const factory: BotFactory = (match) => new BOTS[bot](match, stage);
  const { name, version, games, nonce, max_matches, max_open_decisions, matches_in_all } = settings;
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
    },
    { clock: () => stage.nowMs },
  );
}

function take(step: Step, player: Player): PlayRequest | undefined {
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
      assert.deepEqual(lost(step, player), step.then);
      return undefined;
  }
}

function lost(step: Step, player: Player): Step["then"] {
  const { status: name = "OK", sentence = "", retry_after_ms: retryAfterMs = 0 } = step;
  const next = player.lost({ status: status[name], sentence, retryAfterMs }, 0);
  return "pauseMs" in next ? { pause_ms: next.pauseMs } : { over: next.exitCode };
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
      assert.deepEqual(messagesOf(take(step, player)), messagesOf(expected(step.sends)), `step ${index}`);
      assert.deepEqual(stage.told, step.told ?? stage.told, `step ${index}`);
    }
  });
}
