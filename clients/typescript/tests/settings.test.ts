import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { plain } from "../dist/log.js";
import { readOptions } from "../dist/options.js";
import { receiptsFile } from "../dist/receipts.js";
import { readSettings } from "../dist/settings.js";
import { UsageError } from "../dist/usage.js";

const IDENTITY = { name: "ana", version: "2" };

function read(
  words: string,
  environment: Record<string, string> = {},
  identity: { name: string; games?: string[] } = IDENTITY,
) {
  return readSettings(identity, readOptions(words.split(" ").filter(Boolean)), environment);
}

/** Return the sentence about a command line that is wrong. */
function complaint(words: string, environment: Record<string, string> = {}, games: string[] = []): string {
  try {
    read(words, environment, { ...IDENTITY, games });
  } catch (error) {
    assert(error instanceof UsageError);
    assert.ok(!error.message.includes("\n"));
    return error.message;
  }
  return "";
}

function folderFor(context: { after(end: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), "ordago-"));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("without a word a bot plays everything at the server of this machine", () => {
  const { player, server, keep, verbose, launched } = read("");
  assert.deepEqual(
    { ...player, nonce: player.nonce.length },
    {
      name: "ana",
      version: "2",
      games: [],
      nonce: 16,
      maxMatches: 0,
      maxOpenDecisions: 0,
      matchesInAll: 0,
      onError: "stop",
    },
  );
  assert.deepEqual([server.address, server.token, server.event], ["127.0.0.1:7447", "", ""]);
  assert.deepEqual([keep, verbose, launched], [undefined, false, false]);
  assert.notDeepEqual(read("").player.nonce, player.nonce);
});

test("variables stand in for options, and options count for more", () => {
  const environment = { ORDAGO_ADDRESS: "unix:/here", ORDAGO_EVENT: "friday", ORDAGO_NONCE: "ab".repeat(16) };
  const { server, player } = read("", environment);
  assert.deepEqual([server.address, server.event], ["unix:/here", "friday"]);
  assert.deepEqual(player.nonce, Buffer.alloc(16, 0xab));
  assert.equal(read("--event monday", environment).server.event, "monday");
  assert.equal(read("", { ORDAGO_ADDRESS: "", ORDAGO_EVENT: "", ORDAGO_NONCE: "" }).server.address, "127.0.0.1:7447");
});

test("what comes of failures, decisions in a file, and the form of the log are set by option or variable", (context) => {
  const { player, strict, logFormat, keepDecision } = read("");
  assert.deepEqual([player.onError, strict, logFormat, keepDecision], ["stop", false, "text", undefined]);
  const file = join(folderFor(context), "decisions");
  const environment = { ORDAGO_ON_ERROR: "default", ORDAGO_LOG: "json", ORDAGO_LOG_DECISIONS: file };
  const other = read("--strict", environment);
  assert.deepEqual([other.player.onError, other.strict, other.logFormat], ["default", true, "json"]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(read("--on-error=stop", environment).player.onError, "stop");
  assert.equal(complaint("--on-error ignore"), "--on-error: 'ignore' is neither stop nor default");
  assert.equal(complaint("", { ORDAGO_ON_ERROR: "x" }), "ORDAGO_ON_ERROR: 'x' is neither stop nor default");
  assert.equal(complaint("", { ORDAGO_LOG: "xml" }), "ORDAGO_LOG: 'xml' is neither text nor json");
  assert.match(complaint("--log-decisions /no/such/place"), /^--log-decisions: cannot write to .*: no such file/);
});

test("of options that are given twice the last counts, and games add up", () => {
  const { server, player } = read("--address a:1 --game mus --matches 1 --address=b:2 --matches=2 --game=taihe");
  assert.equal(server.address, "b:2");
  assert.equal(player.maxMatches, 2);
  assert.deepEqual(player.games, ["mus", "taihe"]);
});

test("a bot that knows some games plays no others", () => {
  assert.deepEqual(read("", {}, { name: "ana", games: ["mus", "taihe"] }).player.games, ["mus", "taihe"]);
  assert.deepEqual(read("--game mus", {}, { name: "ana", games: ["mus", "taihe"] }).player.games, ["mus"]);
  assert.equal(complaint("--game mittlere", {}, ["mus", "taihe"]), "--game: this bot plays mus, taihe, not mittlere");
});

test("what cannot be is told in a sentence, with what would be right", () => {
  assert.match(complaint("--matches many"), /^--matches: not a whole number from 0 to 4294967295: many$/);
  assert.match(complaint("--decisions 4294967296"), /^--decisions: not a whole number/);
  assert.match(complaint("--nonce abc"), /^--nonce: not 16 to 64 bytes in hexadecimal: abc$/);
  assert.match(complaint("--matches=+1"), /^--matches: not a whole number/);
  assert.match(complaint("", { ORDAGO_EVENT: "a\u0001b" }), /^ORDAGO_EVENT: the name of an event has/);
  const form = "is not HOST:PORT, [IPv6]:PORT or unix:PATH";
  assert.equal(complaint("--address nowhere"), `--address: 'nowhere' ${form}: it has no port`);
  assert.equal(complaint("--address="), `--address: '' ${form}: it is empty`);
  assert.equal(complaint("", { ORDAGO_ADDRESS: "a://b" }), `ORDAGO_ADDRESS: 'a://b' ${form}: it is a URL`);
  assert.equal(complaint("", { ORDAGO_TLS: "yes" }), "ORDAGO_TLS: 'yes' is neither 1 nor 0");
  assert.equal(complaint("", { ORDAGO_LAUNCHED: "2" }), "ORDAGO_LAUNCHED: '2' is neither 1 nor 0");
  assert.match(complaint("", { ORDAGO_TLS_CA: "none" }), /^ORDAGO_TLS_CA: cannot read none: no such file/);
  assert.match(complaint("--no-such-thing"), /--no-such-thing/);
  assert.match(complaint("--token -x"), /--token/);
  assert.match(complaint("--addr=a:1"), /--addr/);
  assert.match(complaint("left-over"), /left-over/);
  assert.match(
    complaint("", { ORDAGO_RECEIPTS: "/no/such/place" }),
    /^ORDAGO_RECEIPTS: cannot write to \/no\/such\/place: no such file/,
  );
});

test("a token is found in a file before the environment, and never shown", (context) => {
  const file = join(folderFor(context), "token");
  writeFileSync(file, "of-the-file\n");
  assert.equal(read("", { ORDAGO_TOKEN_FILE: file, ORDAGO_TOKEN: "of-the-variable" }).server.token, "of-the-file");
  assert.equal(read("", { ORDAGO_TOKEN: "of-the-variable" }).server.token, "of-the-variable");
  assert.equal(read("--token x", { ORDAGO_TOKEN_FILE: file }).server.token, "x");
  assert.equal(read("--token=", { ORDAGO_TOKEN: "of-the-variable" }).server.token, "");
  writeFileSync(file, "sécret");
  assert.equal(
    complaint(`--token-file ${file}`),
    `--token-file: ${file} cannot be used: it has a character that no token has`,
  );
  assert.match(complaint("--token-file=/none"), /^--token-file: \/none cannot be used: no such file or directory$/);
  assert.match(complaint("", { ORDAGO_TOKEN_FILE: "/" }), /^ORDAGO_TOKEN_FILE: \/ cannot be used: illegal operation/);
  assert.equal(complaint("", { ORDAGO_TOKEN: "a b" }), "ORDAGO_TOKEN: the token holds a character that no token has");
});

test("receipts are lines that only their owner reads, appended to what is there", (context) => {
  const file = join(folderFor(context), "receipts");
  for (const number of [1, 2]) {
    receiptsFile(file)({ kind: "match_start", event: "friday", length: number });
  }
  assert.equal(
    readFileSync(file, "utf8"),
    '{"event":"friday","kind":"match_start","length":1}\n{"event":"friday","kind":"match_start","length":2}\n',
  );
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test("receipts are not appended to what is none", (context) => {
  const file = join(folderFor(context), "other");
  for (const contents of ["root:x:0:0\n", "[]\n", "null", '{"kind": 1}\n', '{"start": {}}\n']) {
    writeFileSync(file, contents);
    const told = `--receipts: cannot write to ${file}: it is there and holds no receipts`;
    assert.equal(complaint(`--receipts ${file}`), told, contents);
    assert.equal(readFileSync(file, "utf8"), contents);
  }
  assert.ok(read("--receipts /dev/null").keep);
});

test("what a server says cannot pass for a line of its own, or move a terminal", () => {
  assert.equal(plain("over\n2026 INFO all is well\x1b[2J\u202e"), "over\\n2026 INFO all is well\\x1b[2J\\u202e");
  assert.equal(plain("\x07\r\t\x9f\u2028\u{e0001}"), "\\x07\\r\\t\\x9f\\u2028\\U000e0001");
  assert.equal(plain("10♥ für Zoë"), "10♥ für Zoë");
});
