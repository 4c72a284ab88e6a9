import { constants, openSync, writeSync } from "node:fs";

const OWNER_ONLY = 0o600;

/**
 * Open or create a file, and return a function that appends a line of JSON to it. Several processes can share the file:
 * each line is written by a single system call, so lines never mix.
 */
export function appendingTo(path: string): (line: object) => void {
  const file = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, OWNER_ONLY);
  return (line) => {
    writeSync(file, `${JSON.stringify(line)}\n`);
  };
}
