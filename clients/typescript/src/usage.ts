import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { getSystemErrorMap } from "node:util";

/** The command line or the environment is wrong. The message says what would be right. */
export class UsageError extends Error {}

/** A value, and the option or the variable that it comes from. */
export interface Value {
  readonly source: string;
  readonly text: string;
}

/** Return the contents of a file that an option or a variable names. */
export function contentsOf({ source, text: path }: Value): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${source}: cannot read ${path}: ${reasonOf(error)}`);
  }
}

/** Return the contents of a file up to a number of bytes. It may be a pipe, which can be read only once. */
export function firstBytesOf(path: string, most: number): Buffer {
  const buffer = Buffer.alloc(most);
  const file = openSync(path, "r");
  try {
    for (let length = 0; ; ) {
      const read = readSync(file, buffer, length, most - length, null);
      length += read;
      if (read === 0 || length === most) {
        return buffer.subarray(0, length);
      }
    }
  } finally {
    closeSync(file);
  }
}

/** Return the reason of an error; if the system gave it, in its words. */
export function reasonOf(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  return getSystemErrorMap().get(errno ?? 0)?.[1] ?? message;
}
