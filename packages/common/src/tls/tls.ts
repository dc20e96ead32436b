/**
 * TLS between the parts of a cloud: a certificate that servers show, and authorities that clients
 * trust in addition to those that Node.js knows.
 *
 * Always holds: a renewed certificate is shown to new connections without a restart; a pair of files
 * that do not fit, as halfway through a renewal, leaves the former one in use.
 */
import { unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:net';
import * as tls from 'node:tls';
import { optional, readNamedFile, SettingError, text } from '../config/settings.js';

export const trustSettings = {
  authorities: optional(
    text('CUMULET_CA', {
      about:
        "Path of a PEM file with the authorities that certificates of the cloud's parts are checked with, besides well-known ones.",
    }),
  ),
};

export const tlsSettings = {
  tlsCertificate: optional(
    text('CUMULET_TLS_CERTIFICATE', {
      about:
        'Path of the PEM file with the certificate and its intermediates that the process serves HTTPS with, its metrics too; unset: HTTP. A renewed file is read without a restart.',
    }),
  ),
  tlsKey: optional(
    text('CUMULET_TLS_KEY', {
      about: 'Path of the PEM file with the private key of CUMULET_TLS_CERTIFICATE.',
    }),
  ),
};

export interface TlsConfig {
  readonly tlsCertificate?: string | undefined;
  readonly tlsKey?: string | undefined;
}

export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

const CERTIFICATE = tlsSettings.tlsCertificate.env;
const KEY = tlsSettings.tlsKey.env;

/** Interval of looks at the files, which may be links that a secret's volume replaces. */
const LOOK_MS = 1_000;

/**
 * @returns undefined if the process serves HTTP
 * @throws SettingError if one of two files is missing, cannot be read, or does not fit the other
 */
export function certificatePair(config: TlsConfig): CertificatePair | undefined {
  const { tlsCertificate, tlsKey } = config;
  if (tlsCertificate === undefined && tlsKey === undefined) return undefined;
  if (tlsCertificate === undefined || tlsKey === undefined) {
    throw new SettingError(`${CERTIFICATE} and ${KEY} are set together or not at all`);
  }
  const pair = {
    cert: readNamedFile(CERTIFICATE, tlsCertificate),
    key: readNamedFile(KEY, tlsKey),
  };
  try {
    tls.createSecureContext(pair);
  } catch {
    throw new SettingError(
      `${CERTIFICATE} and ${KEY}: ${tlsCertificate} and ${tlsKey} must be a certificate and its key in PEM`,
    );
  }
  return pair;
}

/**
 * Shows each renewed certificate to new connections until the server closes; nothing for a server
 * of HTTP.
 * @param onFault told why the former certificate stays in use
 */
export function followRenewal(
  server: Server,
  config: TlsConfig,
  onFault: (error: Error) => void,
): void {
  if (!(server instanceof tls.Server)) return;
  const renew = (): void => {
    try {
      const pair = certificatePair(config);
      if (pair) server.setSecureContext(pair);
    } catch (error) {
      onFault(error as Error);
    }
  };
  const paths = [config.tlsCertificate, config.tlsKey].filter((path) => path !== undefined);
  for (const path of paths) watchFile(path, { interval: LOOK_MS, persistent: false }, renew);
  server.once('close', () => {
    for (const path of paths) unwatchFile(path, renew);
  });
}

/** One for the whole process, since building it reads every authority that Node.js knows. */
let trust: tls.SecureContext | undefined;

/**
 * Makes the clients that this process creates from now on trust the authorities of a file, besides
 * those that Node.js knows. Call it once per process, at its start.
 * @param path as in CUMULET_CA; nothing changes without one
 * @throws SettingError if the file cannot be read or has no certificate
 */
export function trustAuthorities(path: string | undefined): void {
  if (path === undefined) {
    trust = undefined;
    return;
  }
  const variable = trustSettings.authorities.env;
  const bundle = readNamedFile(variable, path);
  const fault = new SettingError(`${variable}: the file ${path} has no certificates in PEM`);
  if (!bundle.includes('-----BEGIN CERTIFICATE-----')) throw fault;
  try {
    trust = tls.createSecureContext({ ca: [...knownAuthorities(), bundle] });
  } catch {
    throw fault;
  }
}

/** With those of NODE_EXTRA_CA_CERTS, where this Node.js can name them. */
function knownAuthorities(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: string) => string[] };
  return getCACertificates?.('default') ?? tls.rootCertificates;
}

/** Options of a client's TLS connections: of undici's `connect`, `https.Agent` and `tls.connect`. */
export function trusted(): { readonly secureContext?: tls.SecureContext } {
  return trust ? { secureContext: trust } : {};
}
