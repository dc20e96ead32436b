/** New key pairs, as Nova made them until microversion 2.91. Public source: nova, `crypto.py`. */
import { generateKeyPair, webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import * as x509 from '@peculiar/x509';
import sshpk from 'sshpk';
import type { KeypairType } from './keypair.entity.js';

export interface GeneratedKeypair {
  readonly publicKey: string;
  /** PEM; shown once. An answer with an Idempotency-Key is kept, sealed. */
  readonly privateKey: string;
}

const BITS = 2048;
const DAY_MS = 86_400_000;
const YEARS = 10;
const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';

const GENERATORS: Readonly<Record<KeypairType, (userId: string) => Promise<GeneratedKeypair>>> = {
  ssh: sshKeypair,
  x509: certificate,
};

export function generatedKeypair(type: KeypairType, userId: string): Promise<GeneratedKeypair> {
  return GENERATORS[type](userId);
}

async function sshKeypair(): Promise<GeneratedKeypair> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const key = sshpk.parseKey(publicKey, 'pem');
  key.comment = 'Generated-by-Cumulet';
  return { publicKey: key.toString('ssh'), privateKey };
}

/** A certificate of its own key, with which the user logs in by WinRM. */
async function certificate(userId: string): Promise<GeneratedKeypair> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: BITS,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const { subtle } = webcrypto;
  const keys = await subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const made = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: [{ CN: [userId] }],
      notBefore: new Date(),
      notAfter: new Date(Date.now() + YEARS * 365 * DAY_MS),
      signingAlgorithm: algorithm,
      keys,
      extensions: [
        new x509.ExtendedKeyUsageExtension([CLIENT_AUTHENTICATION]),
        // By this name Windows finds the user of a certificate.
        new x509.SubjectAlternativeNameExtension([{ type: 'upn', value: `${userId}@localhost` }]),
      ],
    },
    webcrypto,
  );
  const key = Buffer.from(await subtle.exportKey('pkcs8', keys.privateKey));
  return {
    publicKey: made.toString('pem'),
    privateKey: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  };
}
