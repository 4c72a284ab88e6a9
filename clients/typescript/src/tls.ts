import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { SecureContextOptions } from "node:tls";
import { type ChannelCredentials, credentials } from "@grpc/grpc-js";
import { contentsOf, UsageError, type Value } from "./usage.js";

/** Certificates for TLS, all in PEM. */
export interface Tls {
  /** The authorities that may sign the server's certificate; by default the usual ones. */
  readonly ca?: string | Uint8Array | undefined;
  /** The bot's own certificate, if the server asks for one. */
  readonly cert?: string | Uint8Array | undefined;
  /** The private key of that certificate. */
  readonly key?: string | Uint8Array | undefined;
}

/** The options about TLS, or the variables that stand in for them. All files are PEM. */
export interface TlsOptions {
  /** True if TLS was asked for; any of the files asks for it, too. */
  readonly tls: boolean;
  /** The file of the authorities to trust; undefined for the usual ones. */
  readonly "tls-ca"?: Value | undefined;
  /** The file of the bot's own certificate, if the server asks for one. */
  readonly "tls-cert"?: Value | undefined;
  /** The file of its private key. */
  readonly "tls-key"?: Value | undefined;
}

/** The way in which a connection is secured. */
export interface Security {
  /** The credentials of a channel. */
  readonly credentials: ChannelCredentials;
  /** The authorities to trust, without the bot's own certificate; undefined for a connection in the clear. */
  readonly trust: SecureContextOptions | undefined;
}

/** Return the security of a connection with these certificates; undefined for one in the clear. */
export function securityOf(tls: Tls | undefined): Security {
  if (tls === undefined) {
    return { credentials: credentials.createInsecure(), trust: undefined };
  }
  const [ca, key, cert] = [tls.ca, tls.key, tls.cert].map((pem) => (pem === undefined ? null : Buffer.from(pem)));
  return { credentials: credentials.createSsl(ca, key, cert), trust: ca ? { ca } : usualTrust() };
}

/**
 * Return the security of a connection by these options.
 *
 * @throws UsageError
 */
export function securityBy(options: TlsOptions): Security {
  const { tls, "tls-ca": authorities, "tls-cert": certificate, "tls-key": key } = options;
  if ((certificate === undefined) !== (key === undefined)) {
    throw new UsageError("--tls-cert and --tls-key belong together");
  }
  if (!tls && authorities === undefined && certificate === undefined) {
    return securityOf(undefined);
  }
  const ca = authorities && authoritiesIn(authorities);
  const pair = { cert: certificate && contentsOf(certificate), key: key && contentsOf(key) };
  try {
    return securityOf({ ca, ...pair });
  } catch (error) {
    const reason = `${certificate?.text} and ${key?.text} are no certificate and its key, as PEM and without a password`;
    const wrong = certificate === undefined ? "--tls" : `${certificate.source}, ${key?.source}: ${reason}`;
    throw new UsageError(`${wrong}: ${(error as Error).message}`);
  }
}

/** Return the default authorities of grpc-js: those of Node.js, or those in a file that a variable names. */
function usualTrust(): SecureContextOptions {
  const path = process.env["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"];
  return path ? { ca: readFileSync(path) } : {};
}

function authoritiesIn(file: Value): Buffer {
  const authorities = contentsOf(file);
  try {
    // Node.js accepts a file without any certificate, and then trusts nobody. PEM is text, DER is not.
    return new X509Certificate(authorities.toString()) && authorities;
  } catch {
    throw new UsageError(`${file.source}: ${file.text} holds no certificates, as PEM`);
  }
}
