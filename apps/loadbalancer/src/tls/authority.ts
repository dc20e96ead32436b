/** Whom the other side of TLS is checked against: authorities, and what they have revoked. */
import { webcrypto } from 'node:crypto';
import { X509Certificate as Certificate, X509Crl } from '@peculiar/x509';
import { readCertificates } from './certificates.js';
import { UnusableError } from './unusable.js';

export interface Authority {
  readonly pem: string;
  /** The first of them that does. */
  readonly expiresAt: Date;
}

/** @throws UnusableError for what is no PEM of certificates */
export function readAuthority(data: Buffer): Authority {
  if (!data.includes('-----BEGIN CERTIFICATE-----'))
    throw new UnusableError('It must be a valid x509 PEM format certificate.', 'authority');
  const certificates = readCertificates(data);
  const expiries = certificates.map(({ validTo }) => new Date(validTo).getTime());
  return {
    pem: certificates.map((one) => one.toString()).join(''),
    expiresAt: new Date(Math.min(...expiries)),
  };
}

const LIST = /-----BEGIN X509 CRL-----[^-]*-----END X509 CRL-----/g;

/**
 * @param authority PEM of `readAuthority`
 * @returns the lists as PEM
 * @throws UnusableError for what is no list of revocations, or none of that authority
 */
export async function readRevocations(data: Buffer, authority: string): Promise<string> {
  const lists = data.toString('latin1').match(LIST) ?? [];
  const read = lists.map(listOf);
  if (read.length === 0) throw NO_LIST;
  const issuers = readCertificates(Buffer.from(authority)).map(({ raw }) => new Certificate(raw));
  for (const list of read) {
    const checks = issuers.map((publicKey) =>
      list.verify({ publicKey }, webcrypto).catch(() => false),
    );
    if (!(await Promise.all(checks)).includes(true))
      throw new UnusableError('It is not of the authority.', 'revocations');
  }
  return lists.map((list) => `${list}\n`).join('');
}

const NO_LIST = new UnusableError(
  'It must be a valid x509 PEM format certificate revocation list.',
  'revocations',
);

function listOf(pem: string): X509Crl {
  try {
    return new X509Crl(pem);
  } catch {
    throw NO_LIST;
  }
}
