import { statSync } from "node:fs";
import { appendingTo } from "./files.js";
import type { DescribeEventResponse } from "./ordago/v1/game_service.js";
import type { MatchEnd, MatchStart } from "./ordago/v1/match.js";
import { firstBytesOf } from "./usage.js";

/** A statement of the server about its event, kept to check it later. */
export type Receipt = Readonly<Record<string, unknown>>;
/** A function that stores a receipt. */
export type Keep = (receipt: Receipt) => void;

const KINDS: readonly unknown[] = ["event", "match_start", "match_end"];
/** The longest receipt, which names all entrants of an event, is shorter. */
const MOST_BYTES = 2 ** 20;

/**
 * Open or create a file of receipts, and return a function that appends to it.
 *
 * @throws Error if it holds anything else
 */
export function receiptsFile(path: string): Keep {
  const about = statSync(path, { throwIfNoEntry: false });
  // Only a regular file can be spoilt.
  if (about?.isFile() && about.size > 0 && !holdsReceipts(path)) {
    throw new Error("it is there and holds no receipts");
  }
  const append = appendingTo(path);
  return (receipt) => {
    const keys = Object.keys(receipt).sort();
    append(Object.fromEntries(keys.map((key) => [key, receipt[key]])));
  };
}

function holdsReceipts(path: string): boolean {
  const [line = ""] = firstBytesOf(path, MOST_BYTES).toString().split("\n", 1);
  try {
    return KINDS.includes(JSON.parse(line)?.kind);
  } catch {
    return false;
  }
}

/** Receipts of the statements of a server, over all connections. */
export class Receipts {
  readonly #keep: Keep;
  #event: Receipt = {};

  /** Begin with no event. */
  constructor(keep: Keep) {
    this.#keep = keep;
  }

  /** Store the description of the event, before the server learns the bot's nonce. There may be no event. */
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

  /** Store the beginning of a match, if it belongs to an event. */
  begin({ matchId, players, seat, ledgerLength, ledgerHead }: MatchStart): void {
    const receipt = { kind: "match_start", match_id: matchId, name: players[seat]?.name ?? "" };
    this.#keepHead(receipt, ledgerLength, ledgerHead);
  }

  /** Store the end of a match, if it belongs to an event. The digest of a void match is empty. */
  end({ matchId }: MatchStart, { recordDigest, ledgerLength, ledgerHead }: MatchEnd): void {
    const receipt = { kind: "match_end", match_id: matchId, record_digest: hexadecimal(recordDigest) };
    this.#keepHead(receipt, ledgerLength, ledgerHead);
  }

  #keepHead(receipt: Receipt, length: number, head: Uint8Array): void {
    if (length > 0) {
      this.#keep({ ...this.#event, ...receipt, length, head: hexadecimal(head) });
    }
  }
}

function hexadecimal(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
