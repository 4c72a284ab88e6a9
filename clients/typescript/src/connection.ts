import { type ClientDuplexStream, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import type { Log } from "./log.js";
import { Mailbox } from "./mailbox.js";
import { BotServiceClient, type PlayRequest, type PlayResponse } from "./ordago/v1/bot_service.js";
import { DescribeEventResponse, GameServiceClient } from "./ordago/v1/game_service.js";
import { parseAddress } from "./parse.js";
import type { Ending, Player } from "./player.js";
import type { Server, Stop } from "./transport.js";

/** How long a Goodbye may take to get through. */
const PARTING_MS = 1_000;
/** How long the question for the event may take. */
const DESCRIBING_MS = 10_000;
// A connection that is half open is noticed after 35 seconds at most, while the session can still be resumed.
const OPTIONS = {
  "grpc.keepalive_time_ms": 25_000,
  "grpc.keepalive_timeout_ms": 10_000,
  // A frame of the server may hold any number of decisions.
  "grpc.max_receive_message_length": -1,
  "grpc.enable_http_proxy": 0,
  // Without it all players of a process would share one connection, and a server limits the streams of each.
  "grpc.use_local_subchannel_pool": 1,
};
/** Where a server says, beside a status, when to come back. */
const RETRY_AFTER = "retry-after-ms";
const GREATEST_MS = 2 ** 32 - 1;

/** What happens to a connection. */
type Happening =
  | { readonly kind: "described"; readonly event: DescribeEventResponse }
  | { readonly kind: "frame"; readonly frame: PlayResponse; readonly arrivedMs: number }
  | { readonly kind: "ready" }
  | { readonly kind: "retire" }
  | { readonly kind: "leave" }
  | { readonly kind: "ended"; readonly ending: Ending };

/** One connection of a player. All that happens to it is handled in order, one thing at a time. */
export class Connection {
  readonly #player: Player;
  readonly #server: Server;
  readonly #stop: Stop;
  readonly #log: Log;
  readonly #mailbox = new Mailbox<Happening>();
  readonly #bots: BotServiceClient;
  readonly #games: GameServiceClient;
  #stream: ClientDuplexStream<PlayRequest, PlayResponse> | undefined;
  #isReadyDue = false;
  #left = false;

  /** Prepares to connect. */
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
   * Plays until the connection ends, and returns how it did.
   *
   * @throws whatever a bot threw
   */
  async run(): Promise<Ending | "left"> {
    const retire = () => this.#mailbox.put({ kind: "retire" });
    const leave = () => this.#mailbox.put({ kind: "leave" });
    this.#stop.retire.addEventListener("abort", retire);
    this.#stop.leave.addEventListener("abort", leave);
    this.#player.onReady = () => this.#expectReady();
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
    for await (const happening of this.#mailbox) {
      if (happening.kind === "ended") {
        return this.#left ? "left" : happening.ending;
      }
      this.#handle(happening);
    }
    throw new Error("a mailbox never ends");
  }

  #handle(happening: Exclude<Happening, { kind: "ended" }>): void {
    switch (happening.kind) {
      case "described":
        this.#player.learn(happening.event);
        return this.#open();
      case "frame":
        return this.#left ? undefined : this.#say(this.#player.receive(happening.frame, happening.arrivedMs));
      case "ready":
        this.#isReadyDue = false;
        return this.#left ? undefined : this.#say(this.#player.ready());
      case "retire":
        return this.#retire();
      case "leave":
        return this.#leave();
    }
  }

  /** Asks for the event that the bot comes in for. A server that does not know the question plays none. */
  #describe(): void {
    const request = { event: this.#server.event };
    const options = { deadline: Date.now() + DESCRIBING_MS };
    this.#games.describeEvent(request, new Metadata(), options, (error, event) => {
      if (error === null) {
        this.#mailbox.put({ kind: "described", event });
      } else if (error.code === status.UNIMPLEMENTED) {
        this.#mailbox.put({ kind: "described", event: DescribeEventResponse.fromPartial({}) });
      } else {
        this.#mailbox.put({ kind: "ended", ending: endingOf(error) });
      }
    });
  }

  #open(): void {
    if (this.#left) {
      return;
    }
    const stream = this.#bots.play(metadataOf(this.#server));
    stream.on("data", (frame: PlayResponse) => {
      this.#mailbox.put({ kind: "frame", frame, arrivedMs: performance.now() });
    });
    stream.on("error", (error: ServiceError) => this.#mailbox.put({ kind: "ended", ending: endingOf(error) }));
    stream.on("end", () => this.#mailbox.put({ kind: "ended", ending: ORDERLY }));
    this.#stream = stream;
    this.#say(this.#player.connect());
  }

  #say(frame: PlayRequest | undefined): void {
    if (frame !== undefined) {
      this.#stream?.write(frame);
    }
  }

  /** Lets what is ready be sent, once for all that become so in the same turn. */
  #expectReady(): void {
    if (!this.#isReadyDue) {
      this.#isReadyDue = true;
      this.#mailbox.put({ kind: "ready" });
    }
  }

  #retire(): void {
    if (!this.#player.isOpen || this.#stop.leave.aborted) {
      return this.#leave();
    }
    this.#say(this.#player.retire());
    this.#log.info("told to stop: running matches are played to their end; once more to leave at once");
  }

  #leave(): void {
    if (this.#left) {
      return;
    }
    this.#left = true;
    this.#say(this.#player.leave("the bot was told to stop"));
    this.#stream?.end();
    const end = () => this.#mailbox.put({ kind: "ended", ending: ORDERLY });
    setTimeout(end, this.#stream === undefined ? 0 : PARTING_MS).unref();
  }
}

/** Returns an address as grpc-js takes it. Without a scheme it would take a host such as `dns` for one. */
function targetOf(text: string): string {
  const address = parseAddress(text);
  if ("because" in address) {
    throw new RangeError(`the address '${text}' cannot be used: ${address.because}`);
  }
  // grpc-js decodes nothing in a path.
  return "path" in address ? text : `dns:${text}`;
}

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

/** Around the reason why there is no connection grpc-js says that there is none. */
const NO_CONNECTION = /^No connection established\. Last error: (?:Error: )?(.*)\. Resolution note: .*$/s;

function endingOf({ code, details, metadata }: ServiceError): Ending {
  return { status: code, sentence: details.replace(NO_CONNECTION, "$1"), retryAfterMs: retryAfterMs(metadata) };
}

/** Returns how long the server wants to be left alone, by what came with its status; 0 if it does not say. */
function retryAfterMs(metadata: Metadata | undefined): number {
  const [text] = metadata?.get(RETRY_AFTER) ?? [];
  return /^\d+$/.test(String(text)) ? Math.min(Number(text), GREATEST_MS) : 0;
}
