import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { Seal } from '@cumulet/common/crypto/seal';
import type { NewSigningKey } from './signing-key.entity.js';

/** A new Ed25519 key pair as its row; the private half exists unsealed in here alone. */
export async function generateSigningKey(seal: Seal): Promise<NewSigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  const { kty = '', crv = '', x = '' } = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint({ kty, crv, x });
  return {
    kid,
    publicJwk: { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' },
    sealedPrivateJwk: seal.seal(JSON.stringify(await exportJWK(privateKey))),
  };
}
