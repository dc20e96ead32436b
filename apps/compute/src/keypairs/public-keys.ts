/** Public keys as users send them. Public source: RFC 4253, section 6.6; RFC 5280; nova, `crypto.py`. */
import * as x509 from '@peculiar/x509';
import { hash, X509Certificate, generateKeyPair, webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import sshpk from 'sshpk';
import { InvalidKeypairError } from './keypair.errors.js';
import type { KeypairType } from './keypair.resource.js';

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
    throw new InvalidKeypairError(
      `failed to generate fingerprint: it is not a key of type ${kind}.`,
    );
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

/** Key pairs that Nova generated until microversion 2.91. Public source: nova, `crypto.py`. */
interface GeneratedKeypair {
  readonly publicKey: string;
  /** PEM; shown once. An answer with an Idempotency-Key is stored sealed. */
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

/** A self-signed certificate, with which the user logs in by WinRM. */
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
        // Windows finds the user of a certificate by this name.
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
