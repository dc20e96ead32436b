/**
 * PKCS12 without a passphrase: unencrypted, or encrypted with an empty one.
 * Public source: RFC 7292; octavia, `certificates/common/pkcs12.py`.
 */
import { createDecipheriv, createHash, type KeyObject, pbkdf2, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { ContentInfo, EncryptedContentInfo, id_data, id_encryptedData } from '@peculiar/asn1-cms';
import {
  AuthenticatedSafe,
  CertBag,
  id_certBag,
  id_keyBag,
  id_pkcs8ShroudedKeyBag,
  id_x509Certificate,
  PFX,
  SafeContents,
} from '@peculiar/asn1-pfx';
import { EncryptedPrivateKeyInfo } from '@peculiar/asn1-pkcs8';
import { AsnParser, AsnProp, AsnPropTypes, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { readKey, UnusableError } from './certificates.js';

class EncryptedData {
  @AsnProp({ type: AsnPropTypes.Integer })
  version: number;

  @AsnProp({ type: EncryptedContentInfo })
  content: EncryptedContentInfo;
}

export interface Pkcs12 {
  readonly key: KeyObject;
  readonly certificates: readonly X509Certificate[];
}

export async function readPkcs12(data: Buffer): Promise<Pkcs12> {
  try {
    const { authSafe } = AsnParser.parse(data, PFX);
    if (authSafe.contentType !== id_data)
      throw new UnusableError('it is signed rather than plain', 'pkcs12');
    const keys: KeyObject[] = [];
    const certificates: X509Certificate[] = [];
    for (const info of AsnParser.parse(octets(authSafe.content), AuthenticatedSafe))
      for (const bag of AsnParser.parse(await contentsOf(info), SafeContents)) {
        const value = Buffer.from(bag.bagValue);
        if (bag.bagId === id_keyBag) keys.push(readKey(value));
        if (bag.bagId === id_pkcs8ShroudedKeyBag) keys.push(readKey(await unshrouded(value)));
        if (bag.bagId === id_certBag) certificates.push(...certificateIn(value));
      }
    const [key] = keys;
    if (!key || certificates.length === 0)
      throw new UnusableError('it must contain a private key and a certificate', 'pkcs12');
    return { key, certificates };
  } catch (error) {
    if (error instanceof UnusableError) throw new UnusableError(error.message, 'pkcs12');
    // A parser's message may quote the secret.
    throw new UnusableError('it cannot be read, or needs a pass phrase', 'pkcs12');
  }
}

async function contentsOf({ contentType, content }: ContentInfo): Promise<Buffer> {
  if (contentType === id_data) return octets(content);
  if (contentType !== id_encryptedData)
    throw new UnusableError('it is encrypted for a certificate', 'pkcs12');
  const { contentEncryptionAlgorithm: by, encryptedContent } = AsnParser.parse(
    content,
    EncryptedData,
  ).content;
  const { value, constructedValue = [] } = encryptedContent ?? {};
  const parts = value ? [value] : constructedValue;
  return decrypt(by, Buffer.concat(parts.map(({ buffer }) => Buffer.from(buffer))));
}

function unshrouded(value: Buffer): Promise<Buffer> {
  const { encryptionAlgorithm, encryptedData } = AsnParser.parse(value, EncryptedPrivateKeyInfo);
  return decrypt(encryptionAlgorithm, Buffer.from(encryptedData.buffer));
}

function certificateIn(value: Buffer): X509Certificate[] {
  const { certId, certValue } = AsnParser.parse(value, CertBag);
  return certId === id_x509Certificate ? [new X509Certificate(octets(certValue))] : [];
}

function octets(value: ArrayBuffer): Buffer {
  return Buffer.from(AsnParser.parse(value, OctetString).buffer);
}

/** Limits the cost, which the bundle's author chooses. */
const MAX_ITERATIONS = 2_000_000;

const PBES2 = '1.2.840.113549.1.5.13';
const TRIPLE_DES = '1.2.840.113549.1.12.1.3';

const CIPHERS: Readonly<Record<string, readonly [cipher: string, keyBytes: number]>> = {
  '2.16.840.1.101.3.4.1.2': ['aes-128-cbc', 16],
  '2.16.840.1.101.3.4.1.22': ['aes-192-cbc', 24],
  '2.16.840.1.101.3.4.1.42': ['aes-256-cbc', 32],
  '1.2.840.113549.3.7': ['des-ede3-cbc', 24],
};

const HASHES: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};

class Pbes2 {
  @AsnProp({ type: AlgorithmIdentifier })
  derivation: AlgorithmIdentifier;

  @AsnProp({ type: AlgorithmIdentifier })
  cipher: AlgorithmIdentifier;
}

class Pbkdf2 {
  @AsnProp({ type: OctetString })
  salt: OctetString;

  @AsnProp({ type: AsnPropTypes.Integer })
  iterations: number;

  @AsnProp({ type: AsnPropTypes.Integer, optional: true })
  keyLength?: number;

  @AsnProp({ type: AlgorithmIdentifier, optional: true })
  hash?: AlgorithmIdentifier;
}

class OlderParameters {
  @AsnProp({ type: OctetString })
  salt: OctetString;

  @AsnProp({ type: AsnPropTypes.Integer })
  iterations: number;
}

/** @throws UnusableError for other algorithms; node's errors for a wrong password */
function decrypt({ algorithm, parameters }: AlgorithmIdentifier, data: Buffer): Promise<Buffer> {
  if (algorithm === PBES2)
    return byPbes2(AsnParser.parse(parameters ?? new ArrayBuffer(), Pbes2), data);
  if (algorithm === TRIPLE_DES)
    return Promise.resolve(
      byOlder(AsnParser.parse(parameters ?? new ArrayBuffer(), OlderParameters), data),
    );
  throw new UnusableError(`it is encrypted by ${algorithm}, which is not supported`, 'pkcs12');
}

/** Public source: RFC 8018. */
async function byPbes2({ derivation, cipher }: Pbes2, data: Buffer): Promise<Buffer> {
  const { salt, iterations, hash } = AsnParser.parse(
    derivation.parameters ?? new ArrayBuffer(),
    Pbkdf2,
  );
  const [name, keyBytes] = CIPHERS[cipher.algorithm] ?? [];
  const digest = hash ? HASHES[hash.algorithm] : 'sha1';
  if (name === undefined || keyBytes === undefined || digest === undefined)
    throw new UnusableError('it is encrypted by an algorithm that is not supported', 'pkcs12');
  const key = await promisify(pbkdf2)(
    '',
    Buffer.from(salt.buffer),
    checked(iterations),
    keyBytes,
    digest,
  );
  const iv = AsnParser.parse(cipher.parameters ?? new ArrayBuffer(), OctetString);
  return deciphered(name, key, Buffer.from(iv.buffer), data);
}

const KEY = 1;
const IV = 2;

function byOlder({ salt, iterations }: OlderParameters, data: Buffer): Buffer {
  const of = (purpose: number, length: number): Buffer =>
    derive(purpose, Buffer.from(salt.buffer), checked(iterations, 100), length);
  return deciphered('des-ede3-cbc', of(KEY, 24), of(IV, 8), data);
}

/** The encoding of an empty password: the two bytes that terminate every password. */
const EMPTY = Buffer.alloc(64);
const BLOCK = 64;

/** The older key derivation. Public source: RFC 7292, appendix B. */
function derive(purpose: number, salt: Buffer, iterations: number, length: number): Buffer {
  const salted = Buffer.alloc(Math.ceil(salt.length / BLOCK) * BLOCK);
  for (let at = 0; at < salted.length; at += 1) salted[at] = salt[at % salt.length] ?? 0;
  const input = Buffer.concat([salted, EMPTY]);
  const made: Buffer[] = [];
  for (let bytes = 0; bytes < length; bytes += 20) {
    let hash = sha1(Buffer.concat([Buffer.alloc(BLOCK, purpose), input]));
    for (let round = 1; round < iterations; round += 1) hash = sha1(hash);
    made.push(hash);
    addToEach(input, hash);
  }
  return Buffer.concat(made).subarray(0, length);
}

/** Adds the repeated hash plus one to each block, as integers of that size. */
function addToEach(input: Buffer, hash: Buffer): void {
  for (let block = 0; block < input.length; block += BLOCK) {
    let carry = 1;
    for (let at = BLOCK - 1; at >= 0; at -= 1) {
      carry += (input[block + at] ?? 0) + (hash[at % hash.length] ?? 0);
      input[block + at] = carry & 0xff;
      carry >>= 8;
    }
  }
}

function sha1(data: Buffer): Buffer {
  return createHash('sha1').update(data).digest();
}

/** @param cost of an iteration, relative to those that do not block the event loop */
function checked(iterations: number, cost = 1): number {
  if (iterations >= 1 && iterations * cost <= MAX_ITERATIONS) return iterations;
  throw new UnusableError(`it takes ${iterations} iterations to decrypt`, 'pkcs12');
}

function deciphered(cipher: string, key: Buffer, iv: Buffer, data: Buffer): Buffer {
  const decipher = createDecipheriv(cipher, key, iv);
  return Buffer.concat([decipher.update(data), decipher.final()]);
}
