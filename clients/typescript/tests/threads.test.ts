// Bots that think in workers.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Chance } from "ordago";
import type { Answer, ServerMessage } from "ordago/v1";
import { accepted, choicesIn, decision, end, goodbye, refused, start, welcome } from "./messages.js";
import { type Stage, serve } from "./server.js";

const BOT = fileURLToPath(new URL("threaded.js", import.meta.url));
const SEED = Buffer.from("seed");

function timed(handle: number, number: number): ServerMessage {
  const { body } = decision(handle, number);
  assert(body?.$case === "decision");
  const clock = { decisionMs: 60_000, bankMs: 0, lagCreditMs: 0, disconnectBankMs: 0 };
  return { body: { $case: "decision", value: { ...body.value, clock } } };
}

async function fileThere(path: string): Promise<void> {
  while (!existsSync(path)) {
    await turn();
  }
}

/** Run the bot at a scene; returns its exit code, and what it printed. */
async function played(
  context: { after(end: () => void): void },
  scene: (stage: Stage, folder: string, kill: (signal: NodeJS.Signals) => void) => Promise<void>,
  environment: Readonly<Record<string, string>> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "ordago-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const server = await serve(context, (stage) => scene(stage, folder, (signal) => running.kill(signal)));
  const env = { THREADED: folder, ...environment };
  const running = spawn(process.execPath, [BOT, "--address", server.address], { env });
  let output = "";
  running.stderr.on("data", (data: Buffer) => {
    output += data.toString();
  });
  const code = await new Promise((resolve) => running.on("close", resolve));
  const told = existsSync(join(folder, "told")) ? readFileSync(join(folder, "told"), "utf8").split("\n") : [];
  return { code, output, told };
}

async function hearAnswers(stage: Stage, count: number): Promise<(Answer | undefined)[]> {
  const choices = [];
  while (choices.length < count) {
    choices.push(...choicesIn(await stage.hear()));
  }
  return choices.sort((one, other) => one.matchHandle - other.matchHandle).map(({ answer }) => answer);
}

test("matches think side by side, and meanwhile the bot hears what comes", async (context) => {
  const answers: (number | undefined)[] = [];
  const kinds: (string | undefined)[] = [];
  const { code, told, output } = await played(context, async (stage, folder, kill) => {
    await stage.hear();
    stage.say(welcome(), start(1), start(2), timed(1, 1), timed(2, 1));
    await Promise.all([1, 2].map((handle) => fileThere(join(folder, `thinks-${handle}`))));
    kill("SIGTERM");
    kinds.push(...(await stage.hear()).map((body) => body?.$case));
    writeFileSync(join(folder, "go"), "");
    answers.push(...(await hearAnswers(stage, 2)).map((answer) => answer?.amount));
    stage.say(refused(1, 1));
    answers.push(...(await hearAnswers(stage, 1)).map((answer) => answer?.amount));
    stage.say(end(1), end(2), goodbye());
    stage.end();
  });
  assert.equal(code, 0, output);
  assert.deepEqual(kinds, ["retire"]);
  const chance = new Chance(SEED, 1);
  const first = chance.integer(0, 1_000);
  assert.deepEqual(answers, [first, first, chance.integer(0, 1_000)]);
  assert.deepEqual(told.sort(), [
    "",
    "match 1 ended",
    "match 1: thread true, in time true",
    "match 2 ended",
    "match 2: thread true, in time true",
  ]);
});

test("a bot that retires in a worker says so", async (context) => {
  const kinds: (string | undefined)[] = [];
  const { code } = await played(context, async (stage, folder) => {
    writeFileSync(join(folder, "go"), "");
    await stage.hear();
    stage.say(welcome(), start(1), timed(1, 1));
    await stage.hear();
    stage.say(refused(1, 1));
    kinds.push(...(await stage.hear()).map((body) => body?.$case));
    stage.say(end(1), goodbye());
    stage.end();
  });
  assert.deepEqual([code, kinds], [0, ["choice", "retire"]]);
});

for (const [manner, sentence] of [
  ["fails", "match match-1, decision 1: the bot failed, and the default answer is taken: no idea"],
  ["fails-at-start", "match match-1: the bot failed at its start, and default answers are taken: no model"],
] as const) {
  test(`a bot that ${manner} in a worker goes on by default answers`, async (context) => {
    const { code, output } = await played(
      context,
      async (stage) => {
        await stage.hear();
        stage.say(welcome(), start(1), timed(1, 1));
        await hearAnswers(stage, 1);
        stage.say(goodbye());
        stage.end();
      },
      { MANNER: manner, ORDAGO_ON_ERROR: "default" },
    );
    assert.equal(code, 0, output);
    assert.ok(output.includes(sentence), output);
    assert.match(output, /threaded\.js/); // The trace names the file of the author.
  });
}

test("a bot in a worker hears when its decision is closed", async (context) => {
  const { code, told } = await played(
    context,
    async (stage, folder) => {
      await stage.hear();
      stage.say(welcome(), start(1), timed(1, 1));
      await fileThere(join(folder, "thinks"));
      stage.say(accepted(1, 1), end(1));
      await fileThere(join(folder, "told"));
      stage.say(goodbye());
      stage.end();
    },
    { MANNER: "waits" },
  );
  assert.deepEqual([code, told], [0, ["aborted", "match 1 ended", ""]]);
});

test("a worker that dies ends the process", async (context) => {
  const { code, output } = await played(
    context,
    async (stage) => {
      await stage.hear();
      stage.say(welcome(), start(1), timed(1, 1));
    },
    { MANNER: "dies", ORDAGO_ON_ERROR: "default" },
  );
  assert.equal(code, 1, output);
  assert.match(output, /\nthe bot failed: a worker of the bot ended with exit code 7\n$/);
});
