import { readFileSync } from "node:fs";
import { getSystemErrorMap } from "node:util";

/** The command line or the environment is wrong. The message says what would be right. */
export class UsageError extends Error {}

/** Returns what a file holds that an option names. */
export function contentsOf(option: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${option}: cannot read ${path}: ${reasonOf(error)}`);
  }
}

/** Returns why the system could not do something. */
export function reasonOf(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  return getSystemErrorMap().get(errno ?? 0)?.[1] ?? message;
}
