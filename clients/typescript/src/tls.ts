import { X509Certificate } from "node:crypto";
import { type ChannelCredentials, credentials } from "@grpc/grpc-js";
import { contentsOf, UsageError } from "./usage.js";

/** How the connection is kept safe, as the command line says it. All files are PEM. */
export interface TlsOptions {
  /** Whether TLS was asked for; any of the files asks for it, too. */
  readonly tls: boolean;
  /** The file of those who vouch for the server; undefined for those that everybody knows. */
  readonly "tls-ca"?: string | undefined;
  /** The file of the bot's own certificate, where the server asks for one. */
  readonly "tls-cert"?: string | undefined;
  /** The file of the private key for it. */
  readonly "tls-key"?: string | undefined;
}

/**
 * Returns what to connect with. Where nothing speaks of TLS the connection is in the open.
 *
 * @throws UsageError
 */
export function credentialsOf(options: TlsOptions): ChannelCredentials {
  const { tls, "tls-ca": authorities, "tls-cert": certificate, "tls-key": key } = options;
  if ((certificate === undefined) !== (key === undefined)) {
    throw new UsageError("--tls-cert and --tls-key belong together");
  }
  if (!tls && authorities === undefined && certificate === undefined) {
    return credentials.createInsecure();
  }
  const pems = [authoritiesIn(authorities), pem("--tls-key", key), pem("--tls-cert", certificate)] as const;
  try {
    return credentials.createSsl(...pems);
  } catch (error) {
    const pair = `${certificate} and ${key} are no certificate and its key, as PEM and without a password`;
    const wrong = certificate === undefined ? "--tls" : `--tls-cert, --tls-key: ${pair}`;
    throw new UsageError(`${wrong}: ${(error as Error).message}`);
  }
}

function authoritiesIn(path: string | undefined): Buffer | null {
  const authorities = pem("--tls-ca", path);
  try {
    // Node.js takes a file without any certificate without a word, and then believes nobody. PEM is text, DER is not.
    return authorities && new X509Certificate(authorities.toString()) && authorities;
  } catch {
    throw new UsageError(`--tls-ca: ${path} holds no certificates, as PEM`);
  }
}

function pem(option: string, path: string | undefined): Buffer | null {
  return path === undefined ? null : contentsOf(option, path);
}
