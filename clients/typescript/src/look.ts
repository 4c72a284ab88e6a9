// A look at a server that cannot be connected to: it finds out whether trying again is of no use, because of TLS.
import { connect as connectHttp2 } from "node:http2";
import { connect, isIP } from "node:net";
import { connect as connectTls, type SecureContextOptions } from "node:tls";
import type { Address } from "./parse.js";

/** The patience with each of the two connections of a look. */
const PATIENCE_MS = 1_000;
/** The result of a TLS handshake: "done", or the code of an error. */
type Handshake = string;

const SPEAKS_TLS = "speaks TLS: connect with --tls, or with --tls-ca FILE if it has an authority of its own";
const UNKNOWN_AUTHORITY = "has a certificate of an authority that is not trusted here: name its file with --tls-ca";
/** Codes of OpenSSL and Node.js for certificates that are not accepted. */
const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "has a certificate that has expired",
  CERT_NOT_YET_VALID: "has a certificate that is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "has a certificate for other names than HOST",
  CERT_SIGNATURE_FAILURE: UNKNOWN_AUTHORITY,
  CERT_UNTRUSTED: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
};

/**
 * Return the trouble with TLS at a server, to be read behind its name; undefined if there is none. Nothing of
 * the bot is sent there, neither its token nor its certificate.
 *
 * @param trust the authorities to trust; undefined for a bot that connects in the clear
 * @param stop ends the look early
 */
export async function look(
  address: Address,
  trust: SecureContextOptions | undefined,
  stop: AbortSignal,
): Promise<string | undefined> {
  if (trust === undefined) {
    const handshake = await shakeHands(address, { rejectUnauthorized: false }, stop);
    // A server that asks for a certificate, or does not like something else, refuses by an alert of TLS.
    return handshake === "done" || handshake.includes("ALERT") ? SPEAKS_TLS : undefined;
  }
  const handshake = await shakeHands(address, trust, stop);
  // Nothing goes out in the clear to a server that speaks TLS.
  if (handshake === "done" || handshake in CERTIFICATES) {
    return CERTIFICATES[handshake]?.replace("HOST", hostOf(address));
  }
  return (await answersInTheClear(address, stop)) ? "does not speak TLS: connect without --tls" : undefined;
}

/** Return the host whose name a certificate has to have; at a Unix socket gRPC takes this machine's. */
function hostOf(address: Address): string {
  return "path" in address ? "localhost" : address.host;
}

async function shakeHands(
  address: Address,
  options: SecureContextOptions & { readonly rejectUnauthorized?: boolean },
  stop: AbortSignal,
): Promise<Handshake> {
  const host = hostOf(address);
  const servername = isIP(host) ? {} : { servername: host };
  const handshake = await within<Handshake>(stop, (end) => {
    const socket = connectTls({ host, ...address, ...servername, ...options, ALPNProtocols: ["h2"] });
    socket.once("secureConnect", () => end("done"));
    socket.on("error", ({ code }: NodeJS.ErrnoException) => end(code ?? ""));
    socket.once("close", () => end(""));
    return socket;
  });
  return handshake ?? "";
}

/** Return true if a server answers the preface of HTTP/2 without TLS. */
async function answersInTheClear(address: Address, stop: AbortSignal): Promise<boolean> {
  const isAnswered = await within<boolean>(stop, (end) => {
    const session = connectHttp2("http://localhost", { createConnection: () => connect({ ...address }) });
    session.once("remoteSettings", () => end(true));
    session.on("error", () => end(false));
    session.once("close", () => end(false));
    return session;
  });
  return isAnswered ?? false;
}

/** Return the result of a connection, and close it; undefined if it has none in time, or the bot is told to stop. */
function within<Result>(
  stop: AbortSignal,
  open: (end: (result: Result | undefined) => void) => { destroy(): void },
): Promise<Result | undefined> {
  return new Promise((resolve) => {
    const end = (result?: Result) => {
      clearTimeout(timer);
      stop.removeEventListener("abort", giveUp);
      connection.destroy();
      resolve(result);
    };
    const giveUp = () => end();
    const timer = setTimeout(giveUp, stop.aborted ? 0 : PATIENCE_MS);
    stop.addEventListener("abort", giveUp);
    const connection = open(end);
  });
}
