/**
 * Signs tokens with the newest key that has been published for long enough.
 *
 * Always holds: private keys exist only in memory, and encrypted in their rows; a key is published
 * before it signs, so that no service sees a token whose key it cannot know yet.
 */
import { Injectable } from '@nestjs/common';
import { importJWK, SignJWT, type CryptoKey, type JWK } from 'jose';
import type { TokenClaims } from '@cumulet/common/context/token-claims';
import { toPayload } from '@cumulet/common/auth/token-payload';
import { SettingError } from '@cumulet/common/config/settings';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { BeforeStart, SweepEvery } from '@cumulet/common/service/background';
import type { SigningKey } from './signing-key.entity.js';
import { signingKeys } from './signing-key.repository.js';

interface OpenedKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  /** Milliseconds since the epoch. */
  readonly signsFrom: number;
}

/** Far less than a key is published before it signs. */
const LOAD_EVERY_MS = 10_000;

@Injectable()
export class Keyring {
  /** Newest first. */
  #keys: readonly OpenedKey[] = [];

  constructor(private readonly seal: Seal) {}

  /**
   * Rereads the keys, decrypting only new ones: the rotation may run in another process.
   * @throws SettingError if the configured secret key does not decrypt one
   */
  @BeforeStart()
  @SweepEvery(LOAD_EVERY_MS, 'keyring', { local: true, everywhere: true })
  async load(ctx: RequestContext): Promise<void> {
    const rows = await signingKeys.list(ctx);
    if (rows.length === 0) throw new Error('there is no signing key: bootstrap makes the first');
    this.#keys = await Promise.all(
      rows.map(async (row) => this.#known(row.kid) ?? this.#open(row)),
    );
  }

  /** @returns the token in its compact signed form */
  async sign(claims: TokenClaims): Promise<string> {
    const key = this.#keys.find(({ signsFrom }) => signsFrom <= Date.now()) ?? this.#keys.at(-1);
    if (!key) throw new Error('the keyring has not been loaded');
    return new SignJWT(toPayload(claims))
      .setProtectedHeader({ alg: 'EdDSA', kid: key.kid })
      .sign(key.privateKey);
  }

  #known(kid: string): OpenedKey | undefined {
    return this.#keys.find((key) => key.kid === kid);
  }

  async #open({ kid, sealedPrivateJwk, signsFrom }: SigningKey): Promise<OpenedKey> {
    const privateKey = (await importJWK(this.#unseal(sealedPrivateJwk), 'EdDSA')) as CryptoKey;
    return { kid, privateKey, signsFrom: signsFrom.getTime() };
  }

  #unseal(sealed: string): JWK {
    try {
      return JSON.parse(this.seal.open(sealed)) as JWK;
    } catch {
      throw new SettingError(
        'neither IDENTITY_SECRET_KEY nor IDENTITY_OLD_SECRET_KEYS decrypts the signing keys in the database: they were encrypted under another key',
      );
    }
  }
}
