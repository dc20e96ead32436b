/** Which public keys get a certificate. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { PublicKey } from '@peculiar/x509';
import { SigningRequestKeyError } from './pki.errors.js';

const RSA_BITS = { min: 2048, max: 8192 };
/** By the names that OpenSSL has for P-256, P-384 and P-521. */
const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];

export type KeyType = 'rsa' | 'ec' | 'ed25519';

/** @throws SigningRequestKeyError for what is too weak, too long to be checked, or of another kind */
export function checkedType(publicKey: PublicKey): KeyType {
  const key = read(publicKey);
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'rsa':
      if (modulusLength < RSA_BITS.min || modulusLength > RSA_BITS.max)
        throw new SigningRequestKeyError(`an RSA key of ${modulusLength} bits`);
      return 'rsa';
    case 'ec':
      if (!CURVES.includes(namedCurve ?? ''))
        throw new SigningRequestKeyError(`a key on the curve ${namedCurve ?? 'of its own'}`);
      return 'ec';
    case 'ed25519':
      return 'ed25519';
    default:
      throw new SigningRequestKeyError(`a key of type ${key.asymmetricKeyType ?? 'unknown'}`);
  }
}

function read(publicKey: PublicKey): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(publicKey.rawData), format: 'der', type: 'spki' });
  } catch {
    throw new SigningRequestKeyError('a public key that cannot be read');
  }
}
