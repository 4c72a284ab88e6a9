import { constants, openSync, writeSync } from "node:fs";
import type { DescribeEventResponse } from "./ordago/v1/game_service.js";
import type { MatchEnd, MatchStart } from "./ordago/v1/match.js";

/** What a server said of its event, by which it can be held to that later. */
export type Receipt = Readonly<Record<string, unknown>>;
/** Keeps a receipt. */
export type Keep = (receipt: Receipt) => void;

const FOR_ITS_OWNER_ALONE = 0o600;

/**
 * Opens a file of receipts, or makes it, and returns what appends to it. Several processes may do so at once: a line is
 * written by a single call of the system, so that lines never mix.
 */
export function receiptsFile(path: string): Keep {
  const file = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, FOR_ITS_OWNER_ALONE);
  return (receipt) => {
    const keys = Object.keys(receipt).sort();
    writeSync(file, `${JSON.stringify(Object.fromEntries(keys.map((key) => [key, receipt[key]])))}\n`);
  };
}

/** Makes receipts of what a server says on one connection after the other. */
export class Receipts {
  readonly #keep: Keep;
  #event: Receipt = {};

  /** Begins with no event. */
  constructor(keep: Keep) {
    this.#keep = keep;
  }

  /** Keeps what the server says of its event, before it is told the nonce of the bot. It may play none. */
  describe(described: DescribeEventResponse, nonce: Uint8Array): void {
    const { event, commitment, secretDigest, settingsDigest, entrants, beacon } = described;
    this.#event = event === "" ? {} : { event, commitment: hexadecimal(commitment) };
    if (event !== "") {
      this.#keep({
        ...this.#event,
        kind: "event",
        secret_digest: hexadecimal(secretDigest),
        settings_digest: hexadecimal(settingsDigest),
        entrants,
        beacon: beacon ? { round: beacon.round, source: beacon.source, value: hexadecimal(beacon.value) } : null,
        nonce: hexadecimal(nonce),
      });
    }
  }

  /** Keeps what a match begins with, if it belongs to an event. */
  begin({ matchId, players, seat, ledgerLength, ledgerHead }: MatchStart): void {
    const told = { kind: "match_start", match_id: matchId, name: players[seat]?.name ?? "" };
    this.#keepHead(told, ledgerLength, ledgerHead);
  }

  /** Keeps how a match ended, if it belongs to an event. The digest of a void one is empty. */
  end({ matchId }: MatchStart, { recordDigest, ledgerLength, ledgerHead }: MatchEnd): void {
    const told = { kind: "match_end", match_id: matchId, record_digest: hexadecimal(recordDigest) };
    this.#keepHead(told, ledgerLength, ledgerHead);
  }

  #keepHead(told: Receipt, length: number, head: Uint8Array): void {
    if (length > 0) {
      this.#keep({ ...this.#event, ...told, length, head: hexadecimal(head) });
    }
  }
}

function hexadecimal(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
