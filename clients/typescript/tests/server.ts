// A server that follows a script, on a port of this machine.
import { type Metadata, Server, ServerCredentials, type ServerDuplexStream } from "@grpc/grpc-js";
import {
  type BotMessage,
  BotServiceService,
  type DescribeEventResponse,
  GameServiceService,
  type PlayRequest,
  type PlayResponse,
  type ServerMessage,
} from "ordago/v1";
import { securityOf } from "../dist/tls.js";
import type { Server as Place } from "../dist/transport.js";
import type { Issued } from "./certificates.js";

/** One stream of a bot, as the server has it. */
export class Stage {
  readonly peer: string;
  readonly metadata: Metadata;
  readonly #call: ServerDuplexStream<PlayRequest, PlayResponse>;
  readonly #frames: AsyncIterator<PlayRequest>;

  constructor(call: ServerDuplexStream<PlayRequest, PlayResponse>) {
    this.#call = call;
    this.#frames = call[Symbol.asyncIterator]();
    this.peer = call.getPeer();
    this.metadata = call.metadata;
    call.on("error", () => {});
  }

  /** Wait for the next frame of the bot and return what is in it; nothing if it ended its side. */
  async hear(): Promise<BotMessage["body"][]> {
    const { value } = await this.#frames.next();
    return ((value as PlayRequest | undefined)?.messages ?? []).map(({ body }) => body);
  }

  /** Send a frame. */
  say(...messages: ServerMessage[]): void {
    this.#call.write({ messages });
  }

  /** End the stream, in good order or with a status. */
  end(code?: number, metadata?: Metadata): void {
    if (code === undefined) {
      this.#call.end();
    } else {
      this.#call.emit("error", { code, details: "the script says so", metadata });
    }
  }
}

/** Listen until a test is over, over TLS if it has a certificate, and play a scene with each stream. */
export async function serve(
  context: { after(end: () => void): void },
  scene: (stage: Stage) => Promise<void>,
  event?: Partial<DescribeEventResponse>,
  issued?: Issued,
): Promise<Place> {
  const server = new Server();
  server.addService(BotServiceService, {
    play: (call: ServerDuplexStream<PlayRequest, PlayResponse>) => void scene(new Stage(call)),
  });
  if (event !== undefined) {
    const describeEvent = (_call: unknown, answer: (error: null, event: unknown) => void) => answer(null, event);
    const unused = () => {};
    server.addService(GameServiceService, { describeEvent, listGames: unused });
  }
  context.after(() => server.forceShutdown());
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", securityBy(issued), (error, port) => {
      error ? reject(error) : resolve(port);
    });
  });
  const { credentials } = securityOf(undefined);
  return { address: `127.0.0.1:${port}`, token: "", event: "", credentials };
}

function securityBy(issued: Issued | undefined): ServerCredentials {
  if (issued === undefined) {
    return ServerCredentials.createInsecure();
  }
  const pair = { private_key: Buffer.from(issued.key), cert_chain: Buffer.from(issued.cert) };
  return ServerCredentials.createSsl(null, [pair]);
}
