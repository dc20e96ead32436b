/**
 * The certificate that this process shows to OVSDB servers at `ssl:` addresses, and the authority
 * that theirs are from. As in Open vSwitch, the authority alone decides: whoever has a certificate
 * of it belongs to OVN, by whatever name. Public source: ovs-pki(8); ovsdb(7), "Connection Methods".
 */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** Paths of files in PEM. */
export interface CertificateFiles {
  readonly privateKey: string;
  readonly certificate: string;
  readonly authority: string;
}

/** One for the whole process, which is part of one OVN. */
let presented: CertificateFiles | undefined;

/** Applies to connections from now on. Call it once per process, at its start. */
export function presentCertificate(files: CertificateFiles | undefined): void {
  presented = files;
}

/** Reads the files, so that renewed ones are used. @throws Error if there are none */
export function secureOptions(): ConnectionOptions {
  if (!presented) throw new Error('ssl: needs a private key, a certificate and an authority');
  const { privateKey, certificate, authority } = presented;
  return {
    key: readFileSync(privateKey),
    cert: readFileSync(certificate),
    ca: readFileSync(authority),
    checkServerIdentity: () => undefined,
  };
}
