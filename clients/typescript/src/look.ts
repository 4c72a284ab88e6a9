// A look at a server that cannot be connected to: it finds out whether trying again is of no use, because of TLS.
import { connect as connectHttp2 } from "node:http2";
import { connect, isIP } from "node:net";
import { connect as connectTls, type SecureContextOptions } from "node:tls";
import type { Address } from "./parse.js";

/** The longest time that a look takes. */
const LONGEST_MS = 2_000;
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
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, LONGEST_MS);
  stop.addEventListener("abort", end);
  try {
    return stop.aborted ? undefined : await find(address, trust, over.signal);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
  }
}

async function find(
  address: Address,
  trust: SecureContextOptions | undefined,
  over: AbortSignal,
): Promise<string | undefined> {
  if (trust === undefined) {
    const handshake = await shakeHands(address, { rejectUnauthorized: false }, over);
    // A server that asks for a certificate, or does not like something else, refuses by an alert of TLS.
    return handshake === "done" || handshake.includes("ALERT") ? SPEAKS_TLS : undefined;
  }
  const attempts = [shakeHands(address, trust, over), answersInTheClear(address, over)] as const;
  const [handshake, isInTheClear] = await Promise.all(attempts);
  return isInTheClear
    ? "does not speak TLS: connect without --tls"
    : CERTIFICATES[handshake]?.replace("HOST", hostOf(address));
}

/** Return the host whose name a certificate has to have; at a Unix socket gRPC takes this machine's. */
function hostOf(address: Address): string {
  return "path" in address ? "localhost" : address.host;
}

function shakeHands(
  address: Address,
  options: SecureContextOptions & { readonly rejectUnauthorized?: boolean },
  over: AbortSignal,
): Promise<Handshake> {
  const host = hostOf(address);
  const servername = isIP(host) ? {} : { servername: host };
  return new Promise((resolve) => {
    const socket = connectTls({ host, ...address, ...servername, ...options, ALPNProtocols: ["h2"] });
    const end = (handshake: Handshake) => {
      resolve(handshake);
      socket.destroy();
    };
    socket.once("secureConnect", () => end("done"));
    socket.on("error", ({ code }: NodeJS.ErrnoException) => end(code ?? ""));
    socket.once("close", () => end(""));
    over.addEventListener("abort", () => end(""), { once: true });
  });
}

/** Return true if a server answers the preface of HTTP/2 without TLS. */
function answersInTheClear(address: Address, over: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connectHttp2("http://localhost", { createConnection: () => connect({ ...address }) });
    const end = (isAnswered: boolean) => {
      resolve(isAnswered);
      session.destroy();
    };
    session.once("remoteSettings", () => end(true));
    session.on("error", () => end(false));
    session.once("close", () => end(false));
    over.addEventListener("abort", () => end(false), { once: true });
  });
}
