// Standard error that never fails. A bot plays on if nobody reads its log, or if the disk is full.
import { constants, fstatSync, openSync, writeSync } from "node:fs";

const STANDARD_ERROR = 2;
/** The time that a full pipe is given, once. A reader that is only slow is back by then; a server waits for seconds. */
const LONGEST_WAIT_MS = 250;
const CLOCK = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

let descriptor: number | undefined;
/** True if the last text was lost, at least in part. */
let isLost = false;
/** True if it was lost in the middle of a line. */
let isCut = false;

/** Write to standard error; what cannot be written is lost. */
export function writeError(text: string): void {
  descriptor ??= openStandardError();
  let rest = Buffer.from(isCut ? `\n${text}` : text);
  for (let patienceMs = isLost ? 0 : LONGEST_WAIT_MS; rest.length > 0; ) {
    try {
      const written = writeSync(descriptor, rest);
      isCut = written < rest.length;
      rest = rest.subarray(written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || patienceMs === 0) {
        break;
      }
      patienceMs -= 1;
      Atomics.wait(CLOCK, 0, 0, 1);
    }
  }
  isLost = rest.length > 0;
}

/**
 * Return the descriptor to write to. A pipe is opened anew, so that writing to it does not wait for ever once it is
 * full; other processes that write to it do not notice. In systems where that is not possible, writing waits.
 */
function openStandardError(): number {
  try {
    if (fstatSync(STANDARD_ERROR).isFIFO()) {
      return openSync("/dev/fd/2", constants.O_WRONLY | constants.O_NONBLOCK);
    }
  } catch {
    // It is closed at the other end, or belongs to another user.
  }
  return STANDARD_ERROR;
}

/** Keep errors of the streams of Node.js, which a bot may use, from ending the process. */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", () => {});
  }
}

/**
 * Leave out the warning of Node.js that an IP address is no name for TLS. grpc-js causes it for each such server, and it
 * means nothing: the name is not sent, and the certificate is compared with the address all the same.
 */
export function leaveOutNameWarning(): void {
  const listeners = process.listeners("warning");
  process.removeAllListeners("warning");
  process.on("warning", (warning: Error & { readonly code?: string }) => {
    for (const listener of warning.code === "DEP0123" ? [] : listeners) {
      listener(warning);
    }
  });
}
