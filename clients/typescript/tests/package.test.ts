// What the package is made of.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { VERSION } from "ordago";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

test("its version is that of the project", () => {
  assert.equal(JSON.parse(read("package.json")).version, VERSION);
  assert.ok(read("../../server/ordago/version.py").includes(`"${VERSION}"`));
});

test("its licence is that of the project", () => {
  assert.equal(read("LICENSE"), read("../../LICENSE"));
});

test("its lock files name no place to download from", () => {
  for (const file of ["package-lock.json", "tools/package-lock.json"]) {
    assert.ok(!/"resolved":\s*"(?!https:\/\/registry\.npmjs\.org\/)/.test(read(file)), file);
  }
});

test("the random bot has at most 20 lines", () => {
  assert.ok(read("src/bots/random.ts").trimEnd().split("\n").length <= 20);
});
