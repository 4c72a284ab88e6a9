// Certificates in X.509, made by authorities of the tests.
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

const SIGNED_BY_ECDSA = sequence(Buffer.from("06082a8648ce3d040302", "hex"));
const COMMON_NAME = Buffer.from("0603550403", "hex");
const IS_AUTHORITY = Buffer.from("0603551d130101ff040530030101ff", "hex");
const OTHER_NAMES = Buffer.from("0603551d11", "hex");
const DAY_MS = 86_400_000;

/** A certificate with its key, both PEM. */
export interface Issued {
  readonly cert: string;
  readonly key: string;
}

/** The days from now between which a certificate is valid, and the host that it is for. */
export interface Terms {
  readonly begins?: number;
  readonly ends?: number;
  readonly host?: string;
}

/** An authority that issues certificates. */
export class Authority {
  readonly #name: string;
  readonly #pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  /** Its own certificate, PEM. */
  readonly cert: string;
  /** Its key, PEM. */
  readonly key: string;

  constructor(name: string) {
    this.#name = name;
    this.key = String(this.#pair.privateKey.export({ type: "pkcs8", format: "pem" }));
    this.cert = certificate(this.#pair.publicKey, name, { name, key: this.#pair.privateKey }, {}, IS_AUTHORITY);
  }

  /** Return a new certificate of a server. */
  issue(terms: Terms = {}): Issued {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const host = Buffer.concat([OTHER_NAMES, der(0x04, sequence(nameOf(terms.host ?? "127.0.0.1")))]);
    const cert = certificate(publicKey, "server", { name: this.#name, key: this.#pair.privateKey }, terms, host);
    return { cert, key: String(privateKey.export({ type: "pkcs8", format: "pem" })) };
  }
}

function certificate(
  key: KeyObject,
  name: string,
  issuer: { readonly name: string; readonly key: KeyObject },
  { begins = -1, ends = 1 }: Terms,
  extension: Buffer,
): string {
  const content = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    SIGNED_BY_ECDSA,
    named(issuer.name),
    sequence(time(begins), time(ends)),
    named(name),
    key.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(extension))),
  );
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign("sha256", content, issuer.key)]));
  const base64 = sequence(content, SIGNED_BY_ECDSA, signature).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
}

function named(name: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));
}

function nameOf(host: string): Buffer {
  const isAddress = /^[0-9.]+$/.test(host);
  return isAddress ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host));
}

function time(days: number): Buffer {
  const text = new Date(Date.now() + days * DAY_MS).toISOString().replace(/[-:T]|\..*/g, "");
  return der(0x17, Buffer.from(`${text.slice(2)}Z`));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
