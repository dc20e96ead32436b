/**
 * Signs tokens with the newest key.
 *
 * Always holds: the private key is in memory and sealed in its row, and nowhere else.
 */
import { importJWK, SignJWT, type CryptoKey, type JWK } from 'jose';
import type { TokenClaims } from '@cumulet/common/auth/token-claims';
import { toPayload } from '@cumulet/common/auth/token-payload';
import { SettingError } from '@cumulet/common/config/settings';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Seal } from '@cumulet/common/crypto/seal';
import { SigningKeyRepository } from './signing-key.repository.js';

export class Keyring {
  #kid = '';
  #privateKey: CryptoKey | undefined;

  constructor(
    private readonly seal: Seal,
    private readonly keys = new SigningKeyRepository(),
  ) {}

  /**
   * Reads the key that signs from now on.
   * @throws SettingError when the configured secret key does not open it
   */
  async load(ctx: RequestContext): Promise<void> {
    const row = await this.keys.newest(ctx);
    if (!row) throw new Error('there is no signing key: bootstrap makes the first');
    this.#privateKey = (await importJWK(this.#open(row.sealedPrivateJwk), 'EdDSA')) as CryptoKey;
    this.#kid = row.kid;
  }

  /** @returns the token in its compact signed form */
  async sign(claims: TokenClaims): Promise<string> {
    if (!this.#privateKey) throw new Error('the keyring has not been loaded');
    return new SignJWT(toPayload(claims))
      .setProtectedHeader({ alg: 'EdDSA', kid: this.#kid })
      .sign(this.#privateKey);
  }

  #open(sealed: string): JWK {
    try {
      return JSON.parse(this.seal.open(sealed)) as JWK;
    } catch {
      throw new SettingError(
        'IDENTITY_SECRET_KEY does not open the signing keys in the database: it is not the key that they were sealed with',
      );
    }
  }
}
