/**
 * Always holds: no certificate outlives its authority, and each is backdated by a few minutes,
 * since the clocks of guests may be slow.
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

export function validity(days: number): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - BACKDATED_MS), notAfter: new Date(now + days * DAY_MS) };
}

/** 127 random bits: RFC 5280 requires a positive number, and web CAs at least 64 bits. */
export function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes.readUInt8() & 0x3f) | 0x40;
  return bytes.toString('hex');
}

export interface CertificateContent {
  readonly subject: Name;
  readonly publicKey: webcrypto.CryptoKey | PublicKey;
  /** Besides the key identifiers, which are added. */
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
