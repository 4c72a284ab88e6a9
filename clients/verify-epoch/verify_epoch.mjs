#!/usr/bin/env node
// Verifies one epoch of a standing ladder from its published files alone. See README.md.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { verify } from "./checks.mjs";

const EXIT = { clean: 0, notClean: 1, usage: 2, outside: 3, unfinished: 6 };
const USAGE = "usage: verify_epoch.mjs DIR EPOCH [--anchor HEX] [--proto DIR]";

function tell(number, { problems, revealed, proved, course, counts }) {
  // Names of bots are anybody's, and no terminal is to obey them.
  for (const problem of problems) console.log(problem.replace(/[^\P{C}]/gu, "?"));
  if (problems.length > 0) {
    console.log(`not clean: epoch ${number}, ${problems.length} findings`);
    return EXIT.notClean;
  }
  const matches = `${course.seatings.size} matches: ${course.results.size} results, ${course.voids.size} void`;
  if (!proved) {
    console.log(`unfinished: epoch ${number} ${revealed ? "has no records any more" : "is not revealed"}; ${matches}`);
    return EXIT.unfinished;
  }
  const computed = `${counts.records} records, ${counts.shuffles} shuffles computed anew`;
  console.log(`clean: epoch ${number}; ${matches}; ${computed}`);
  console.log(`its link leads back to the anchor ${course.begin.anchor}`);
  if (course.begin.season) console.log(`it belongs to the season ${course.begin.season}`);
  return EXIT.clean;
}

function main() {
  const contract = join(dirname(fileURLToPath(import.meta.url)), "../../proto/ordago/v1");
  const options = { anchor: { type: "string" }, proto: { type: "string", default: contract } };
  let given;
  try {
    given = parseArgs({ options, allowPositionals: true });
    const [, number, ...more] = given.positionals;
    if (!/^[1-9]\d{0,5}$/.test(number) || more.length > 0) throw new Error("give a folder and a number");
  } catch (error) {
    console.error(`${USAGE}: ${error.message}`);
    return EXIT.usage;
  }
  const [ladder, number] = given.positionals;
  try {
    return tell(Number(number), verify(ladder, Number(number), given.values));
  } catch (error) {
    console.error(`verify_epoch: ${error.message}`);
    return EXIT.outside;
  }
}

process.exitCode = main();
