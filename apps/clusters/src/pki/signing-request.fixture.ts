/** Certificate requests of clients. */
import 'reflect-metadata'; // before @peculiar/x509, which injects its own parts by it
import { webcrypto } from 'node:crypto';
import {
  Pkcs10CertificateRequestGenerator,
  type Attribute,
  type Extension,
  type JsonName,
} from '@peculiar/x509';

const ECDSA_KEY = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const ADMIN: JsonName = [{ O: ['system:masters'] }, { CN: ['admin'] }];

export function rsaKey(modulusLength: number, hash = 'SHA-256') {
  const publicExponent = new Uint8Array([1, 0, 1]);
  return { name: 'RSASSA-PKCS1-v1_5', modulusLength, publicExponent, hash };
}

export interface Asked {
  readonly key?: Readonly<{ name: string; hash?: string }>;
  readonly name?: JsonName;
  readonly extensions?: Extension[];
  readonly attributes?: Attribute[];
}

/** @returns PEM */
export async function signingRequest(asked: Asked = {}): Promise<string> {
  const { key = ECDSA_KEY, name = ADMIN, extensions = [], attributes = [] } = asked;
  const keys = await webcrypto.subtle.generateKey(key, true, ['sign', 'verify']);
  const request = await Pkcs10CertificateRequestGenerator.create(
    { name, keys: keys as webcrypto.CryptoKeyPair, signingAlgorithm: key, extensions, attributes },
    webcrypto,
  );
  return request.toString('pem');
}
