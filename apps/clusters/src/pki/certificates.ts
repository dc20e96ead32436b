/**
 * Certificates of an authority, whatever they are for. Always holds: none is valid longer than its
 * authority, whose signature it could not be checked against then; and each begins to be valid some
 * minutes ago, since the clocks of guests may be late.
 */
import { randomBytes, webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  type Extension,
  type Name,
  type PublicKey,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { ECDSA, readEcdsaKey } from './keys.js';

export interface CertifiedKey {
  readonly certificatePem: string;
  /** PKCS#8 */
  readonly privateKeyPem: string;
}

const BACKDATED_MS = 5 * 60_000;
const DAY_MS = 86_400_000;

/** @returns the time for which a certificate made now is valid */
export function validity(days: number): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - BACKDATED_MS), notAfter: new Date(now + days * DAY_MS) };
}

/** 127 random bits: RFC 5280 wants a positive number, CAs of the web at least 64 random bits. */
export function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes.readUInt8() & 0x3f) | 0x40;
  return bytes.toString('hex');
}

export interface CertificateContent {
  readonly subject: Name;
  readonly publicKey: webcrypto.CryptoKey | PublicKey;
  /** Those beside the identifiers of the keys. */
  readonly extensions: readonly Extension[];
  readonly days: number;
}

/** @returns PEM */
export async function certify(
  authority: CertifiedKey,
  { subject, publicKey, extensions, days }: CertificateContent,
): Promise<string> {
  const issuer = new X509Certificate(authority.certificatePem);
  const { notBefore, notAfter } = validity(days);
  const made = await X509CertificateGenerator.create(
    {
      serialNumber: serialNumber(),
      subject,
      issuer: issuer.subjectName,
      notBefore,
      notAfter: notAfter < issuer.notAfter ? notAfter : issuer.notAfter,
      publicKey,
      signingKey: await readEcdsaKey(authority.privateKeyPem),
      signingAlgorithm: ECDSA,
      extensions: [
        ...extensions,
        await SubjectKeyIdentifierExtension.create(publicKey, false, webcrypto),
        await AuthorityKeyIdentifierExtension.create(issuer.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return made.toString('pem') + '\n';
}
