/** Public keys as users send them. Public source: RFC 4253, section 6.6; RFC 5280; nova, `crypto.py`. */
import { hash, X509Certificate } from 'node:crypto';
import sshpk from 'sshpk';
import { InvalidKeypairError } from './keypair.errors.js';
import type { KeypairType } from './keypair.entity.js';

/** `ssh-ed25519 AAAA… comment`, without options, on one line. */
const LINE = /^(?<kind>[a-z0-9@.-]+) (?<data>[A-Za-z0-9+/]+={0,2})(?: [^\p{Cc}]*)?\s*$/u;

const FINGERPRINTS: Readonly<Record<KeypairType, (publicKey: string) => string>> = {
  ssh: sshFingerprint,
  x509: certificateFingerprint,
};

/**
 * MD5 of an SSH key, SHA-1 of a certificate: colon-separated, as clients of Nova compare them.
 * @throws InvalidKeypairError unless it is a public key of the type
 */
export function fingerprintOf(type: KeypairType, publicKey: string): string {
  return FINGERPRINTS[type](publicKey);
}

function sshFingerprint(publicKey: string): string {
  const { kind, data } = LINE.exec(publicKey)?.groups ?? {};
  if (kind === undefined || data === undefined)
    throw new InvalidKeypairError(
      'failed to generate fingerprint: it must be one line with the type of the key and the key in base64.',
    );
  try {
    sshpk.parseKey(`${kind} ${data}`, 'ssh');
  } catch {
    throw new InvalidKeypairError(`failed to generate fingerprint: it is no key of type ${kind}.`);
  }
  return hash('md5', Buffer.from(data, 'base64'), 'hex').replaceAll(/..(?!$)/g, '$&:');
}

function certificateFingerprint(pem: string): string {
  try {
    return new X509Certificate(pem).fingerprint.toLowerCase();
  } catch {
    throw new InvalidKeypairError(
      'failed to generate X509 fingerprint: it must be a certificate in PEM.',
    );
  }
}
