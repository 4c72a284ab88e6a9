// The examples of the README compile as they stand there, in a project like a new one; its tests run, too.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url);
const PROJECT = new URL("dist-tests/readme/", ROOT);

function path(name: string, base: URL): string {
  return fileURLToPath(new URL(name, base));
}

test("the README is short, and its examples compile", () => {
  const readme = readFileSync(new URL("README.md", ROOT), "utf8");
  assert.ok(readme.trimEnd().split("\n").length < 160);
  const examples = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, example]) => example ?? "");
  assert.equal(examples.length, 5);
  rmSync(PROJECT, { recursive: true, force: true });
  mkdirSync(PROJECT, { recursive: true });
  for (const [index, example] of examples.entries()) {
    writeFileSync(path(`example-${index}.ts`, PROJECT), example);
  }
  copyFileSync(path("template/src/bot.ts", ROOT), path("bot.ts", PROJECT));
  copyFileSync(path("template/src/bot.test.ts", ROOT), path("bot.test.ts", PROJECT));
  copyFileSync(path("../vectors/decisions.jsonl", ROOT), path("decisions.jsonl", PROJECT));
  const config = { extends: "../../tsconfig.json", compilerOptions: { rootDir: ".", outDir: ".", composite: false } };
  writeFileSync(path("tsconfig.json", PROJECT), JSON.stringify({ ...config, include: ["."], exclude: [] }));
  const compiled = run([path("node_modules/typescript/bin/tsc", ROOT), "--project", "."]);
  assert.equal(compiled.status, 0, compiled.stdout);
});

test("the test of a new project passes", () => {
  const { status, stdout } = run(["--test", "bot.test.js"]);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /pass 5/);
});

function run(words: readonly string[]) {
  // The runner of this test marks the environment of its children, which would keep another from reporting.
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  return spawnSync(process.execPath, words, { cwd: fileURLToPath(PROJECT), env, encoding: "utf8" });
}
