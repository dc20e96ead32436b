/**
 * Private keys in PEM (PKCS#8). Certificates use ECDSA on P-256, whose keys are cheap to generate;
 * a master needs a dozen.
 */
import { createPublicKey, generateKeyPair, webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import { PemConverter } from '@peculiar/x509';

export const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export interface KeyPair {
  readonly keys: webcrypto.CryptoKeyPair;
  readonly privateKeyPem: string;
}

export async function generateEcdsaKey(): Promise<KeyPair> {
  const keys = await webcrypto.subtle.generateKey(ECDSA, true, ['sign', 'verify']);
  const der = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { keys, privateKeyPem: PemConverter.encode(der, 'PRIVATE KEY') + '\n' };
}

/** @param privateKeyPem of `generateEcdsaKey` */
export function readEcdsaKey(privateKeyPem: string): Promise<webcrypto.CryptoKey> {
  const der = PemConverter.decodeFirst(privateKeyPem);
  return webcrypto.subtle.importKey('pkcs8', der, ECDSA, false, ['sign']);
}

/** RSA for tokens of service accounts, since OpenID Connect clients need only support RS256. */
export async function createServiceAccountKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return privateKey;
}

/** @returns PEM (SPKI) */
export function publicKeyOf(privateKeyPem: string): string {
  return createPublicKey(privateKeyPem).export({ type: 'spki', format: 'pem' }).toString();
}
