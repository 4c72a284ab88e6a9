// The test vectors that all SDKs share: addresses, token files and switches.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseAddress, parseSwitch, parseToken } from "../dist/parse.js";

const FOLDER = new URL("../../vectors/", import.meta.url);

/** Run a test for each case of a file: the given text of a case, and what is read from it. */
function hold(file: string, given: string, parse: (text: string) => object): void {
  const cases: Record<string, unknown>[] = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"));
  assert.ok(cases.length > 0);
  for (const { [given]: text, ...expected } of cases) {
    test(`${file}: ${JSON.stringify(text).slice(0, 80)}`, () => assert.deepEqual(parse(String(text)), expected));
  }
}

hold("addresses.json", "address", parseAddress);
hold("token-files.json", "bytes", (text) => parseToken(Buffer.from(text, "base64")));
hold("switches.json", "text", parseSwitch);
