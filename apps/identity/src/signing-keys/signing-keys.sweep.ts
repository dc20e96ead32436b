import type { Seal } from '@cumulet/common/crypto/seal';
import type { Sweep } from '@cumulet/common/jobs/sweep';
import type { IdentityConfig } from '../config.js';
import { generateSigningKey } from './generate-signing-key.js';
import type { Keyring } from './keyring.js';
import { SigningKeyRepository } from './signing-key.repository.js';

/** Far more than any verifier or keyring takes to read keys anew. */
const PUBLISHED_BEFORE_SECONDS = 30;

/** Makes a new key when it is time, and forgets those of which no token is left. */
export function keyRotationSweep(
  config: Pick<IdentityConfig, 'keyRotation' | 'tokenLifetime' | 'expiredTokenWindow'>,
  seal: Seal,
  keys = new SigningKeyRepository(),
): Sweep {
  return {
    name: 'key rotation',
    everyMs: 60_000,
    run: async (ctx) => {
      const { keyRotation, tokenLifetime, expiredTokenWindow } = config;
      if (await keys.isRotationDue(ctx, keyRotation)) {
        const signsInSeconds = PUBLISHED_BEFORE_SECONDS;
        const key = await generateSigningKey(seal);
        await keys.insert(ctx, key, { signsInSeconds, tokenLifetime });
      }
      await keys.deleteSpent(ctx, expiredTokenWindow);
    },
  };
}

/** Every process signs with what the rotation, wherever it ran, has made. */
export function keyringSweep(keyring: Keyring, everyMs: number): Sweep {
  return { name: 'keyring', everyMs, local: true, run: (ctx) => keyring.load(ctx) };
}
