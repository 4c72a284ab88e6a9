// The helpers for the tests of a bot, among them the vectors that all SDKs have in common.
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { act, actionOf, Bot, type Chance, complete, type Decision, take } from "ordago";
import { actionTaken, ask, isLegal, loadDecisions, play } from "ordago/testing";
import { Answer, Decision as Message, MitigatiActionKind, Refused } from "ordago/v1";
import { decisionsFile } from "../dist/decisions.js";
import { SILENCE } from "../dist/log.js";
import { listening } from "./messages.js";

const VECTORS = new URL("../../vectors/", import.meta.url);
const DECISIONS = new URL("decisions.jsonl", VECTORS);

class Random extends Bot {
  override choose({ actions }: Decision, chance: Chance) {
    return complete(chance.oneOf(actions), chance);
  }
}

function folderFor(context: { after(end: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), "ordago-"));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("each answer has the verdict of the referee", () => {
  const cases = JSON.parse(readFileSync(new URL("legality.json", VECTORS), "utf8"));
  assert.notEqual(cases.length, 0);
  for (const { bytes, answers } of cases) {
    const decision = Message.decode(Buffer.from(bytes, "base64"));
    for (const { answer, bytes, legal } of answers) {
      const decoded = Answer.decode(Buffer.from(bytes, "base64"));
      assert.equal(isLegal(decision, decoded), legal, JSON.stringify(answer));
    }
  }
});

test("a line that is no decision is named", (context) => {
  const file = join(folderFor(context), "decisions.jsonl");
  const good = readFileSync(DECISIONS, "utf8").split("\n", 1)[0];
  for (const [line, reason] of [
    ["{", ""],
    ["[]", "it has no start or no decision"],
    ['{"start": {}}', "it has no start or no decision"],
    ['{"start": {}, "decision": null}', "it has no start or no decision"],
  ] as const) {
    writeFileSync(file, `${good}\n\n${line}\n`);
    const isTold = ({ name, message }: Error) =>
      name === "SyntaxError" && message.startsWith(`${file}, line 3: it is no logged decision: ${reason}`);
    assert.throws(() => loadDecisions(file), isTold, line);
  }
});

test("the action that an answer takes is found, by its number or typed", () => {
  const asked = loadDecisions(DECISIONS).find(({ start }) => start.game === "mittlere");
  assert(asked);
  const { decision } = asked;
  for (const action of decision.actions) {
    const { card } = actionOf(action, "mittlere");
    assert.equal(actionTaken(decision, take(action)), action);
    assert.equal(actionTaken(decision, act("mittlere", { card })), action);
  }
  assert.equal(actionTaken(decision, act("mittlere", {})), undefined);
});

test("a typed action has its open amount within bounds, and nothing that its legal action has not", () => {
  const state = { kind: MitigatiActionKind.MITIGATI_ACTION_KIND_STATEMENT };
  const said = { kind: MitigatiActionKind.MITIGATI_ACTION_KIND_PLAY };
  const decision = Message.fromPartial({
    actions: [
      { id: 1, action: act("mitigati", state), amount: { min: -1, max: 2 } },
      { id: 2, action: act("mitigati", said) },
    ],
  });
  const legal = (value: Parameters<typeof act<"mitigati">>[1]) => isLegal(decision, act("mitigati", value));
  assert.deepEqual([{ ...state, amount: 0 }, { ...state, amount: 3 }, state, said, { ...said, amount: 0 }].map(legal), [
    true,
    false,
    false,
    true,
    false,
  ]);
});

test("decisions that are written are read again as they were", (context) => {
  const file = join(folderFor(context), "decisions.jsonl");
  const write = decisionsFile(file);
  const refused = Refused.fromPartial({ number: 1, rule: "follow_suit", strikesLeft: 2, timeLeftMs: 900 });
  const asked = loadDecisions(DECISIONS);
  assert.equal(asked.length, 5);
  for (const one of asked) {
    write(one, SILENCE);
    write({ ...one, refused, answer: undefined, error: "no idea" }, SILENCE);
  }
  const read = loadDecisions(file);
  assert.deepEqual(
    read.filter(({ error }) => error === undefined),
    asked,
  );
  assert.deepEqual(
    [read[1]?.refused, read[1]?.answer, read[1]?.error],
    [Refused.fromJSON(Refused.toJSON(refused)), undefined, "no idea"],
  );
  const [line] = readFileSync(file, "utf8").split("\n");
  const [vector] = readFileSync(DECISIONS, "utf8").split("\n");
  assert.deepEqual(JSON.parse(line ?? ""), JSON.parse(vector ?? ""));
});

test("a file that cannot be written is told once", () => {
  const { log, lines } = listening();
  const write = decisionsFile("/dev/full");
  for (const asked of loadDecisions(DECISIONS)) {
    write(asked, log);
  }
  assert.deepEqual(lines, ["WARNING decisions cannot be written to /dev/full: no space left on device"]);
});

test("a bot is asked as in a match: legal answers, the same each time", async () => {
  for (const asked of loadDecisions(DECISIONS)) {
    const answer = await ask((match) => new Random(match), asked);
    assert.ok(isLegal(asked.decision, answer), asked.start.game);
    assert.deepEqual(await ask((match) => new Random(match), asked), answer);
  }
});

test("a bot is asked again after a refusal, with the time that is left", async () => {
  const [asked] = loadDecisions(DECISIONS);
  assert(asked);
  const times: number[] = [];
  const asks: number[] = [];
  class Watching extends Random {
    override choose(decision: Decision, chance: Chance) {
      asks.push(decision.timeLeft());
      return super.choose(decision, chance);
    }

    override refused(decision: Decision, refusal: Refused) {
      times.push(decision.timeLeft(), refusal.timeLeftMs);
      return act("mitaines", {});
    }
  }
  const clock = { decisionMs: 60_000, bankMs: 0, lagCreditMs: 0, disconnectBankMs: 0 };
  const refused = Refused.fromPartial({ timeLeftMs: 500 });
  const answer = await ask((match) => new Watching(match), {
    ...asked,
    decision: { ...asked.decision, clock },
    refused,
  });
  assert.ok(!isLegal(asked.decision, answer));
  assert.ok((times[0] ?? 0) > 0 && (times[0] ?? 0) <= 500);
  assert.equal(asks.length, 1);
  assert.ok((asks[0] ?? 0) > 500, "it is asked first, with the time of the decision");
});

test("matches are played by the program that is named, and one that is missing is told", async (context) => {
  const program = join(folderFor(context), "ordago");
  writeFileSync(
    program,
    `#!/bin/sh
[ "$2" = mus ] || { echo "no such game" >&2; exit 2; }
for bot; do words="$words $bot"; done
echo "{\\"match_id\\": \\"m\\", \\"game\\": \\"$words\\", \\"number\\": 1, \\"seats\\": [], \\"faults\\": 0, \\"forfeits\\": []}"
`,
  );
  chmodSync(program, 0o755);
  process.env["ORDAGO_PROGRAM"] = program;
  const [match] = await play("mus", { bots: ["house:random", "cmd:x"], matches: 2, more: ["--seed", "00"] });
  const words = " play mus --bot house:random --bot cmd:x --matches 2 --json --seed 00";
  assert.deepEqual(match, { matchId: "m", game: words, number: 1, seats: [], faults: 0, forfeits: [] });
  await assert.rejects(play("poker", { bots: [] }), /ordago play ended with exit code 2: no such game/);
  process.env["ORDAGO_PROGRAM"] = "/no/such/program";
  await assert.rejects(
    play("mus", { bots: [] }),
    /\/no\/such\/program cannot be run: install it, or name it in ORDAGO_PROGRAM/,
  );
});
