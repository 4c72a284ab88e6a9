// The grammars of addresses, token files and switches, without I/O. They are the same in all SDKs.
import { isIPv4, isIPv6 } from "node:net";

/** The place where a server listens. */
export type Address = { readonly host: string; readonly port: number } | { readonly path: string };
/** The reason why a text is refused. */
export type Refusal = { readonly because: string };

/** The path of a Unix socket has 108 bytes in Linux, the last of which is zero. */
const LONGEST_PATH_BYTES = 107;
/** No token that gRPC can send in its metadata is longer. */
export const LONGEST_TOKEN_BYTES = 8_192;
const GREATEST_PORT = 65_535;

/** Return the address in a text: HOST:PORT, [IPv6]:PORT or unix:PATH. */
export function parseAddress(text: string): Address | Refusal {
  if (text === "") {
    return { because: "it is empty" };
  }
  if (text.startsWith("unix:")) {
    return parsePath(text.slice("unix:".length));
  }
  if (text.includes("://")) {
    return { because: "it is a URL" };
  }
  return text.startsWith("[") ? parseBracketed(text) : parseNamed(text);
}

function parsePath(path: string): Address | Refusal {
  if (path === "") {
    return { because: "the path is empty" };
  }
  if (path.startsWith("//") || path.startsWith("@")) {
    return { because: "the path begins with // or @" };
  }
  if (/[\0\n\r]/.test(path)) {
    return { because: "the path has a NUL or a line end" };
  }
  const isTooLong = Buffer.byteLength(path) > LONGEST_PATH_BYTES;
  return isTooLong ? { because: `the path is longer than ${LONGEST_PATH_BYTES} bytes` } : { path };
}

function parseBracketed(text: string): Address | Refusal {
  const end = text.indexOf("]");
  const host = text.slice(1, Math.max(1, end));
  // isIPv6 allows a zone behind a percent sign.
  if (!isIPv6(host) || host.includes("%")) {
    return { because: "the brackets do not hold an IPv6 address" };
  }
  const rest = text.slice(end + 1);
  return withPort(host, rest.startsWith(":") ? rest.slice(1) : "");
}

function parseNamed(text: string): Address | Refusal {
  const [host = "", port = "", ...more] = text.split(":");
  if (more.length > 0) {
    return { because: "only an IPv6 address has more than one colon, in brackets" };
  }
  const address = withPort(host, port);
  return "because" in address || isHost(host) ? address : { because: "the host is neither a name nor an IPv4 address" };
}

function withPort(host: string, port: string): Address | Refusal {
  if (port === "") {
    return { because: "it has no port" };
  }
  const isPort = /^[1-9][0-9]{0,4}$/.test(port) && Number(port) <= GREATEST_PORT;
  return isPort ? { host, port: Number(port) } : { because: `the port is not a number from 1 to ${GREATEST_PORT}` };
}

function isHost(host: string): boolean {
  const labels = host.split(".");
  const areLabels = labels.every((label) => /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)$/.test(label));
  return isIPv4(host) || (host.length <= 253 && areLabels && !/^[0-9]+$/.test(labels.at(-1) ?? ""));
}

/** Return the token in the bytes of a file. */
export function parseToken(bytes: Uint8Array): { readonly token: string } | Refusal {
  // In Latin-1 each byte is one character.
  const text = Buffer.from(bytes).toString("latin1");
  const token = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
  if (/^(\xff\xfe|\xfe\xff)|\0/.test(text)) {
    return { because: "it is in UTF-16" };
  }
  if (text.startsWith("\xef\xbb\xbf")) {
    return { because: "it begins with a byte-order mark" };
  }
  if (token === "") {
    return { because: "it has no token" };
  }
  if (bytes.length > LONGEST_TOKEN_BYTES) {
    return { because: `it is longer than ${LONGEST_TOKEN_BYTES} bytes` };
  }
  if (/[\r\n]/.test(token)) {
    return { because: "it has more than one line" };
  }
  return isToken(token) ? { token } : { because: "it has a character that no token has" };
}

/** Return true if all characters of a text can be part of a token: printable ASCII without the space. */
export function isToken(text: string): boolean {
  return /^[!-~]*$/.test(text);
}

/** Return true if an event may have this name, or if it is empty. */
export function isEvent(name: string): boolean {
  return /^([a-z0-9][a-z0-9-]{0,63})?$/.test(name);
}

/** Return the state of a switch, such as the variable ORDAGO_TLS. */
export function parseSwitch(text: string): { readonly on: boolean } | Refusal {
  return ["", "0", "1"].includes(text) ? { on: text === "1" } : { because: "it is neither 1 nor 0" };
}
