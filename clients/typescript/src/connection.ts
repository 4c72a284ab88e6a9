import { type ClientDuplexStream, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { toldToStop } from "./events.js";
import type { Log } from "./log.js";
import { BotServiceClient, type PlayRequest, type PlayResponse } from "./ordago/v1/bot_service.js";
import { DescribeEventResponse, GameServiceClient } from "./ordago/v1/game_service.js";
import { parseAddress } from "./parse.js";
import type { Ending, Player } from "./player.js";
import { Queue } from "./queue.js";
import type { Server, Stop } from "./transport.js";

/** The time that a Goodbye has to reach the server. */
const GOODBYE_MS = 1_000;
/** The time limit of the call for the description of the event. */
const DESCRIBE_MS = 10_000;
// Half-open connections are noticed after 25 + 10 seconds at most, while the session can still be resumed.
const OPTIONS = {
  "grpc.keepalive_time_ms": 25_000,
  "grpc.keepalive_timeout_ms": 10_000,
  // A frame of the server can have any number of decisions.
  "grpc.max_receive_message_length": -1,
  // Libraries disagree on what the variables for proxies mean; grpc-js would use one for this machine, too.
  "grpc.enable_http_proxy": 0,
  // Without it all players of a process would share one connection, and a server limits the streams of each.
  "grpc.use_local_subchannel_pool": 1,
};
/** The metadata beside a status that says when to come back. */
const RETRY_AFTER = "retry-after-ms";
const GREATEST_MS = 2 ** 32 - 1;

/** An event of a connection. */
type ConnectionEvent =
  | { readonly kind: "described"; readonly description: DescribeEventResponse }
  | { readonly kind: "frame"; readonly frame: PlayResponse; readonly arrivedMs: number }
  | { readonly kind: "ready" }
  | { readonly kind: "retire" }
  | { readonly kind: "leave" }
  | { readonly kind: "ended"; readonly ending: Ending };

/** One connection of a player. Its events are handled one after another. */
export class Connection {
  readonly #player: Player;
  readonly #server: Server;
  readonly #stop: Stop;
  readonly #log: Log;
  readonly #events = new Queue<ConnectionEvent>();
  readonly #bots: BotServiceClient;
  readonly #games: GameServiceClient;
  #stream: ClientDuplexStream<PlayRequest, PlayResponse> | undefined;
  #isSendingDue = false;
  #left = false;

  /** Prepare to connect. */
  constructor(player: Player, server: Server, stop: Stop, log: Log) {
    this.#player = player;
    this.#server = server;
    this.#stop = stop;
    this.#log = log;
    const target = targetOf(server.address);
    this.#bots = new BotServiceClient(target, server.credentials, OPTIONS);
    this.#games = new GameServiceClient(target, server.credentials, {
      channelOverride: this.#bots.getChannel(),
    });
  }

  /**
   * Play until the connection ends, and return its end.
   *
   * @throws BotError if a bot failed, and that ends the session
   */
  async run(): Promise<Ending | "left"> {
    const retire = () => this.#events.put({ kind: "retire" });
    const leave = () => this.#events.put({ kind: "leave" });
    this.#stop.retire.addEventListener("abort", retire);
    this.#stop.leave.addEventListener("abort", leave);
    this.#player.onReady = () => this.#scheduleSending();
    try {
      return await this.#play();
    } finally {
      this.#stop.retire.removeEventListener("abort", retire);
      this.#stop.leave.removeEventListener("abort", leave);
      this.#player.onReady = () => {};
      this.#stream?.cancel();
      this.#bots.close();
    }
  }

  async #play(): Promise<Ending | "left"> {
    if (this.#stop.leave.aborted) {
      return "left";
    }
    if (this.#player.keepsReceipts) {
      this.#describe();
    } else {
      this.#open();
    }
    for await (const event of this.#events) {
      if (event.kind === "ended") {
        return this.#left ? "left" : event.ending;
      }
      this.#handle(event);
    }
    throw new Error("a queue never ends");
  }

  #handle(event: Exclude<ConnectionEvent, { kind: "ended" }>): void {
    switch (event.kind) {
      case "described":
        this.#player.learn(event.description);
        return this.#open();
      case "frame":
        return this.#left ? undefined : this.#send(this.#player.receive(event.frame, event.arrivedMs));
      case "ready":
        this.#isSendingDue = false;
        return this.#left ? undefined : this.#send(this.#player.ready());
      case "retire":
        return this.#retire();
      case "leave":
        return this.#leave();
    }
  }

  /** Ask for the description of the event. A server without this method has no event. */
  #describe(): void {
    const request = { event: this.#server.event };
    const options = { deadline: Date.now() + DESCRIBE_MS };
    this.#games.describeEvent(request, new Metadata(), options, (error, description) => {
      if (error === null) {
        this.#events.put({ kind: "described", description });
      } else if (error.code === status.UNIMPLEMENTED) {
        this.#events.put({ kind: "described", description: DescribeEventResponse.fromPartial({}) });
      } else {
        const isSilent = error.code === status.DEADLINE_EXCEEDED;
        const ending = endingOf(error);
        this.#events.put({ kind: "ended", ending: isSilent ? { ...ending, status: status.UNAVAILABLE } : ending });
      }
    });
  }

  #open(): void {
    if (this.#left) {
      return;
    }
    const stream = this.#bots.play(metadataOf(this.#server));
    stream.on("data", (frame: PlayResponse) => {
      this.#events.put({ kind: "frame", frame, arrivedMs: performance.now() });
    });
    stream.on("error", (error: ServiceError) => this.#events.put({ kind: "ended", ending: endingOf(error) }));
    stream.on("end", () => this.#events.put({ kind: "ended", ending: ORDERLY }));
    this.#stream = stream;
    this.#send(this.#player.connect());
  }

  #send(frame: PlayRequest | undefined): void {
    if (frame !== undefined) {
      this.#stream?.write(frame);
    }
  }

  /** Schedule the sending of answers, once for all that are found in the same turn. */
  #scheduleSending(): void {
    if (!this.#isSendingDue) {
      this.#isSendingDue = true;
      this.#events.put({ kind: "ready" });
    }
  }

  #retire(): void {
    if (!this.#player.isOpen || this.#stop.leave.aborted) {
      return this.#leave();
    }
    this.#send(this.#player.retire());
    this.#log(toldToStop());
  }

  #leave(): void {
    if (this.#left) {
      return;
    }
    this.#left = true;
    this.#send(this.#player.leave("the bot was told to stop"));
    this.#stream?.end();
    const end = () => this.#events.put({ kind: "ended", ending: ORDERLY });
    setTimeout(end, this.#stream === undefined ? 0 : GOODBYE_MS).unref();
  }
}

/** Return an address as grpc-js takes it. Without a scheme it would take a host such as `dns` for one. */
function targetOf(text: string): string {
  const address = parseAddress(text);
  if ("because" in address) {
    throw new RangeError(`the address '${text}' cannot be used: ${address.because}`);
  }
  // grpc-js decodes nothing in a path.
  return "path" in address ? text : `dns:${text}`;
}

/** A stream that ended without an error. */
const ORDERLY: Ending = { status: status.OK, sentence: "", retryAfterMs: 0 };

function metadataOf({ token, event }: Server): Metadata {
  const metadata = new Metadata();
  if (token !== "") {
    metadata.set("authorization", `Bearer ${token}`);
  }
  if (event !== "") {
    metadata.set("ordago-event", event);
  }
  return metadata;
}

/** The frame that grpc-js puts around the reason of a failed connection. */
const NO_CONNECTION = /^No connection established\. Last error: (?:Error: )?(.*)\. Resolution note: .*$/s;

function endingOf({ code, details, metadata }: ServiceError): Ending {
  return { status: code, sentence: details.replace(NO_CONNECTION, "$1"), retryAfterMs: retryAfterMs(metadata) };
}

/** Return the time after which the server allows another attempt, from the metadata; 0 if not given. */
function retryAfterMs(metadata: Metadata | undefined): number {
  const [text] = metadata?.get(RETRY_AFTER) ?? [];
  return /^\d+$/.test(String(text)) ? Math.min(Number(text), GREATEST_MS) : 0;
}
