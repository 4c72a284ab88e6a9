// A bot as a process: its output, its signals and its exit codes.
import assert from "node:assert/strict";
import { type SpawnOptions, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { status } from "@grpc/grpc-js";
import { loadDecisions } from "ordago/testing";
import { ServerMessage } from "ordago/v1";
import { Authority } from "./certificates.js";
import { decision, end, goodbye, start, welcome } from "./messages.js";
import { type Stage, serve } from "./server.js";

const BOT = fileURLToPath(new URL("../dist/bots/random.js", import.meta.url));
const OUTPUT = new URL("../dist/output.js", import.meta.url).href;
const ASKED = { matchHandle: 1, number: 1, actions: [{ id: 1 }] };
/** Write more to standard error than a pipe has room for. */
const WRITES_MUCH = `
  import { writeError } from ${JSON.stringify(OUTPUT)};
  for (let number = 0; number < 50; number += 1) writeError("x".repeat(9_999) + "\\n");
`;

/** Run a shell command with "$@" for a program and wait for its end. */
async function shell(command: string, program: readonly string[], options: SpawnOptions = {}) {
  const running = spawn("sh", ["-c", command, "sh", process.execPath, ...program], { env: {}, ...options });
  let output = "";
  for (const stream of [running.stdout, running.stderr]) {
    stream?.on("data", (data: Buffer) => {
      output += data.toString();
    });
  }
  const code = await new Promise<number | null>((resolve) => running.on("close", resolve));
  return { code, output };
}

async function dismiss(stage: Stage): Promise<void> {
  await stage.hear();
  stage.say(welcome(), start(1), goodbye({ sentence: "that was all" }));
  stage.end();
}

for (const redirection of ["2>/dev/full", "2>&-", "0<&- 1>&- 2>&-", "2>&1 | head -1", "2>&1 >/dev/full"]) {
  test(`output that goes wrong does not end a bot: ${redirection}`, async (context) => {
    const server = await serve(context, dismiss);
    // The exit code goes past the redirection.
    const command = `{ { "$@"; echo "code $?" >&3; } ${redirection}; } 3>&1`;
    const { output } = await shell(command, [BOT, "-v", "--address", server.address]);
    assert.match(output, /code 0\n/);
  });
}

test("a pipe that nobody reads does not stop a bot", async () => {
  const command = '{ "$@"; echo "code $?" >&3; } 2>&1 | exec tail -f /dev/null';
  const words = ["--input-type=module", "--eval", WRITES_MUCH];
  const running = spawn("sh", ["-c", command, "sh", process.execPath, ...words], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    detached: true,
  });
  const written = await new Promise<Buffer>((resolve) => running.stdio[3]?.once("data", resolve));
  process.kill(-(running.pid ?? assert.fail()), "SIGKILL");
  assert.equal(written.toString(), "code 0\n");
});

test("a reader gets every line, though the pipe is full now and then", async () => {
  const command = '"$@" 2>&1 | wc -l';
  const { output } = await shell(command, ["--input-type=module", "--eval", WRITES_MUCH]);
  assert.equal(Number(output), 50);
});

test("SIGHUP tells a bot to stop, and twice tells it nothing more", async (context) => {
  const heard: (string | undefined)[] = [];
  const server = await serve(context, async (stage) => {
    await stage.hear();
    stage.say(welcome(), start(1), ServerMessage.fromPartial({ body: { $case: "decision", value: ASKED } }));
    await stage.hear(); // The answer shows that it is connected.
    running.kill("SIGHUP");
    heard.push(...(await stage.hear()).map((body) => body?.$case));
    running.kill("SIGHUP");
    running.kill("SIGPIPE");
    stage.say(goodbye());
    stage.end();
  });
  const running = spawn(process.execPath, [BOT, "--address", server.address], { env: {}, stdio: "ignore" });
  const code = await new Promise((resolve) => running.on("close", resolve));
  assert.deepEqual([code, heard], [0, ["retire"]]);
});

test("a bot that fails ends its process, and its author sees where", async (context) => {
  const server = await serve(context, async (stage) => {
    await stage.hear();
    stage.say(welcome(), start(1), decision(1, 1)); // A decision without actions: there is none to take.
  });
  const { code, output } = await shell('exec "$@"', [BOT, "--address", server.address]);
  assert.equal(code, 1, output);
  assert.match(output, /^RangeError: 1 of 0 items cannot be drawn\n.*RandomBot\.choose/ms);
  assert.match(output, /\nmatch match-1, decision 1: the bot failed: 1 of 0 items cannot be drawn\n$/);
});

for (const [words, exitCode] of [
  [[], 0],
  [["--strict"], 1],
] as const) {
  test(`a bot that fails may go on by default answers, and ends with ${exitCode}: ${words}`, async (context) => {
    const heard: (string | undefined)[] = [];
    const server = await serve(context, async (stage) => {
      await stage.hear();
      stage.say(welcome(), start(1), decision(1, 1));
      heard.push(...(await stage.hear()).map((body) => body?.$case));
      stage.say(end(1), goodbye());
      stage.end();
    });
    const file = join(mkdtempSync(join(tmpdir(), "ordago-")), "decisions");
    context.after(() => rmSync(dirname(file), { recursive: true }));
    const env = { ORDAGO_ON_ERROR: "default", ORDAGO_LOG: "json", ORDAGO_LOG_DECISIONS: file };
    const { code, output } = await shell('exec "$@"', [BOT, ...words, "--address", server.address], { env });
    assert.deepEqual([code, heard], [exitCode, ["choice"]], output);
    const lines = output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ event }) => event),
      ["connected", "match_begins", "failed", "match_ended", "goodbye", "summary"],
    );
    assert.deepEqual(Object.keys(lines[2]).slice(0, 4), ["time", "level", "event", "message"]);
    assert.match(lines[2].trace, /RangeError: 1 of 0 items cannot be drawn\n.*\n?.*RandomBot\.choose/s);
    assert.deepEqual([lines[5].matches, lines[5].void, lines[5].failures], [1, 1, 1]);
    const [asked] = loadDecisions(file);
    assert.deepEqual([asked?.decision.number, asked?.error], [1, "1 of 0 items cannot be drawn"]);
  });
}

test("the trace of a failure and the decision stand below its line, and the summary is the last one", async (context) => {
  const server = await serve(context, async (stage) => {
    await stage.hear();
    stage.say(welcome(), start(1), decision(1, 1));
    await stage.hear();
    stage.say(end(1, { outcome: { placings: [2] } }));
    stage.end(status.NOT_FOUND);
  });
  const { code, output } = await shell('exec "$@"', [BOT, "--on-error=default", "--address", server.address]);
  assert.equal(code, 3);
  const [, , failed, error, ...more] = output.trim().split("\n");
  assert.match(
    failed ?? "",
    / ERROR match match-1, decision 1: the bot failed, and the default answer is taken: 1 of 0/,
  );
  assert.equal(error, "RangeError: 1 of 0 items cannot be drawn");
  assert.ok(more.some((line) => /^the decision: \{.*"number":1/.test(line)));
  const summary =
    /INFO 1 match: placing 2: 1, void: 0; slowest decision: \d+ ms \(match match-1, decision 1\); failures: 1$/;
  assert.match(more.at(-1) ?? "", summary);
});

test("a bot whose program has ended leaves, and still sums up", async (context) => {
  const server = await serve(context, async (stage) => {
    await stage.hear();
    stage.say(welcome(), start(1), end(1));
    running.stdin?.end();
  });
  const env = { ORDAGO_LAUNCHED: "1" };
  const running = spawn(process.execPath, [BOT, "--address", server.address], { env });
  let output = "";
  running.stderr.on("data", (data: Buffer) => {
    output += data.toString();
  });
  const code = await new Promise((resolve) => running.on("close", resolve));
  assert.equal(code, 3);
  assert.match(output, /INFO 1 match: void: 1\n$/);
});

test("the versions are on one line, and a wrong command line is the usage and one sentence", async () => {
  const versions = await shell('exec "$@"', [BOT, "--version"]);
  assert.equal(versions.code, 0);
  assert.match(versions.output, /^random-typescript \S+ \(ordago typescript \S+\)\n$/);
  const wrong = await shell('exec "$@"', [BOT, "--address=a\u001bb"]);
  assert.equal(wrong.code, 2);
  const usage = "usage: random.js [options]";
  const [first, ...rest] = wrong.output.split("\n");
  assert.equal(first, `${usage}; --help lists them`);
  assert.match(rest.join("\n"), /^error: --address: 'a\\x1bb' is not .*: it has no port\n$/);
  const help = await shell('exec "$@"', [BOT, "-h"]);
  assert.deepEqual([help.code, help.output.split("\n", 1)[0]], [0, usage]);
});

test("a server that cannot be trusted ends a bot with one line", async (context) => {
  const server = createSecureServer(new Authority("unknown").issue());
  context.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, output } = await shell('exec "$@"', [BOT, "--tls", "--token=secret", "--address", address]);
  assert.equal(code, 3);
  const sentence = "has a certificate of an authority that is not trusted here: name its file with --tls-ca";
  assert.equal(output.replace(/^\S+ /, ""), `ERROR the server at ${address} ${sentence}\n`);
});
