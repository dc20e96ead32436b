/** A key with its certificates, as one of the sides of TLS shows itself. */
import type { KeyObject, X509Certificate } from 'node:crypto';
import { UnusableError } from './unusable.js';

export interface Bundle {
  /** The certificate, its key and the rest of its chain, as PEM. A secret. */
  readonly pem: string;
  /** Of the certificate. */
  readonly expiresAt: Date;
}

/**
 * @param certificates the key's own may be any of them; the others are its chain, in their order
 * @throws UnusableError if the key belongs to none, or the certificate names nobody
 */
export function bundleOf(key: KeyObject, certificates: readonly X509Certificate[]): Bundle {
  const own = certificates.find((one) => one.checkPrivateKey(key));
  if (!own) throw new UnusableError('its private key and its certificate do not match');
  if (!namesSomebody(own))
    throw new UnusableError('No CN or DNSName(s) found in certificate.', 'subject');
  const chain = certificates.filter((one) => one !== own);
  const keyPem = key.export({ format: 'pem', type: 'pkcs8' }).toString();
  const parts = [own.toString(), keyPem, ...chain.map((one) => one.toString())];
  return {
    pem: parts.map((part) => `${part.trim()}\n`).join(''),
    expiresAt: new Date(own.validTo),
  };
}

/** @throws UnusableError likewise, where the certificate is known */
export function requireOwn(key: KeyObject, certificate: X509Certificate | undefined): void {
  if (!certificate?.checkPrivateKey(key))
    throw new UnusableError('its private key and its certificate do not match');
}

/** Public source: octavia, `common/tls_utils/cert_parser.py`, get_host_names. */
function namesSomebody({ subject, subjectAltName = '' }: X509Certificate): boolean {
  return /(^|\n|\+)\s*CN=/.test(subject) || /(^|, )DNS:/.test(subjectAltName);
}
