// What a look finds at servers of all kinds on this machine.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttp1 } from "node:http";
import { createServer as createHttp2, createSecureServer } from "node:http2";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createServer as createTls, type TlsOptions } from "node:tls";
import { look } from "../dist/look.js";
import type { Address } from "../dist/parse.js";
import { Authority, type Terms } from "./certificates.js";

const MINE = new Authority("mine");
const OTHER = new Authority("other");
const TRUST = { ca: MINE.cert };
const SPEAKS_TLS = "speaks TLS: connect with --tls, or with --tls-ca FILE if it has an authority of its own";
const NO_TLS = "does not speak TLS: connect without --tls";
const NOT_TRUSTED = "has a certificate of an authority that is not trusted here: name its file with --tls-ca";

interface Context {
  after(end: () => void): void;
}

async function listening(context: Context, server: Server, path?: string): Promise<Address> {
  const sockets: Socket[] = [];
  server.on("connection", (socket: Socket) => sockets.push(socket.on("error", () => {})));
  server.on("sessionError", () => {}).on("tlsClientError", () => {});
  context.after(() => {
    server.close();
    for (const socket of sockets) {
      socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(path ?? { port: 0, host: "127.0.0.1" }, resolve));
  return path === undefined ? { host: "127.0.0.1", port: (server.address() as AddressInfo).port } : { path };
}

function secure(terms: Terms = {}, options: TlsOptions = {}): Server {
  return createSecureServer({ ...MINE.issue(terms), ...options });
}

function found(address: Address, trust?: { ca: string }, stop = new AbortController().signal) {
  return look(address, trust, stop);
}

test("a server that completes a handshake speaks TLS", async (context) => {
  assert.equal(await found(await listening(context, secure())), SPEAKS_TLS);
});

for (const [refusal, options] of [
  ["for want of a certificate", { requestCert: true, rejectUnauthorized: true, ca: OTHER.cert, maxVersion: "TLSv1.2" }],
  ["since it speaks no HTTP/2", { ALPNProtocols: ["other"] }],
] as const) {
  test(`a server that refuses a handshake ${refusal} speaks TLS`, async (context) => {
    const server = createTls({ ...MINE.issue(), ...options });
    assert.equal(await found(await listening(context, server)), SPEAKS_TLS);
  });
}

test("a server in the clear does not speak TLS, at a port and at a Unix socket", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "ordago-"));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const path of [undefined, join(folder, "a%20b?c#d é")]) {
    const address = await listening(context, createHttp2(), path);
    assert.equal(await found(address, TRUST), NO_TLS);
    assert.equal(await found(address), undefined);
  }
});

for (const [terms, trust, sentence] of [
  [{ begins: -2, ends: -1 }, TRUST, "has a certificate that has expired"],
  [{ begins: 1, ends: 2 }, TRUST, "has a certificate that is not valid yet"],
  [{ host: "play.example.org" }, TRUST, "has a certificate for other names than 127.0.0.1"],
  [{ host: "127.0.0.2" }, TRUST, "has a certificate for other names than 127.0.0.1"],
  [{}, { ca: OTHER.cert }, NOT_TRUSTED],
  [{}, {}, NOT_TRUSTED],
  [{}, TRUST, undefined],
] as const) {
  test(`with ${JSON.stringify(terms)} and ${Object.keys(trust)} a server ${sentence ?? "is fine"}`, async (context) => {
    assert.equal(await found(await listening(context, secure(terms)), trust as { ca: string }), sentence);
  });
}

test("a certificate without an authority behind it is not trusted", async (context) => {
  const server = new Authority("of itself");
  const address = await listening(context, secure({}, { cert: server.cert, key: server.key }));
  assert.equal(await found(address, TRUST), NOT_TRUSTED);
});

test("a name is compared where the address has one, and this machine's at a Unix socket", async (context) => {
  const { port } = (await listening(context, secure({ host: "localhost" }))) as { port: number };
  assert.equal(await found({ host: "localhost", port }, TRUST), undefined);
  const folder = mkdtempSync(join(tmpdir(), "ordago-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const local = await listening(context, secure({ host: "localhost" }), join(folder, "tls"));
  assert.equal(await found(local, TRUST), undefined);
  const other = await listening(context, secure({ host: "else.example" }), join(folder, "other"));
  assert.equal(await found(other, TRUST), "has a certificate for other names than localhost");
});

test("nothing is found where something else listens, or nothing", async (context) => {
  const port = await listening(context, createHttp1());
  assert.deepEqual([await found(port), await found(port, TRUST)], [undefined, undefined]);
  const gone = { path: "/no/such/socket" };
  assert.deepEqual([await found(gone), await found(gone, TRUST)], [undefined, undefined]);
});

test("a server that never answers is given up, and at once if the bot is told to stop", async (context) => {
  const silent = await listening(context, createServer());
  assert.equal(await found(silent), undefined);
  const stop = new AbortController();
  const looking = found(silent, TRUST, stop.signal);
  stop.abort();
  assert.equal(await looking, undefined);
  assert.equal(await found(silent, TRUST, stop.signal), undefined);
});
