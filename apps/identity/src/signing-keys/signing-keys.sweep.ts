import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { IdentityConfig } from '../config.js';
import type { NewSigningKey } from './signing-key.entity.js';
import { signingKeys } from './signing-key.repository.js';

/** Much longer than verifiers and keyrings take to reread the keys. */
const PUBLISHED_BEFORE_SECONDS = 30;

@Injectable()
export class KeyRotation {
  constructor(
    @Inject(CONFIG)
    private readonly config: Pick<
      IdentityConfig,
      'keyRotation' | 'tokenLifetime' | 'expiredTokenWindow'
    >,
    private readonly seal: Seal,
  ) {}

  /** The first key signs at once: there are no readers yet to wait for. */
  async ensureFirst(ctx: RequestContext): Promise<void> {
    const { tokenLifetime } = this.config;
    if ((await signingKeys.list(ctx)).length === 0) {
      const key = await generateSigningKey(this.seal);
      await signingKeys.insert(ctx, key, { signsInSeconds: 0, tokenLifetime });
    }
    await signingKeys.coverLifetime(ctx, tokenLifetime);
  }

  @SweepEvery(60_000, 'key rotation')
  async rotate(ctx: RequestContext): Promise<void> {
    const { keyRotation, tokenLifetime, expiredTokenWindow } = this.config;
    if (await signingKeys.isRotationDue(ctx, keyRotation)) {
      const key = await generateSigningKey(this.seal);
      const signsInSeconds = PUBLISHED_BEFORE_SECONDS;
      await signingKeys.insert(ctx, key, { signsInSeconds, tokenLifetime });
    }
    await signingKeys.deleteSpent(ctx, expiredTokenWindow);
  }
}

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
