import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { SigningKey, type NewSigningKey, type SigningKeyJwk } from './signing-key.entity.js';

class SigningKeyRepository {
  /**
   * @param signsInSeconds from now, by the database's clock
   * @param tokenLifetime lifetime of its tokens in seconds
   */
  async insert(
    ctx: RequestContext,
    { kid, publicJwk, sealedPrivateJwk }: NewSigningKey,
    { signsInSeconds, tokenLifetime }: { signsInSeconds: number; tokenLifetime: number },
  ): Promise<void> {
    await ctx.manager.query(
      `INSERT INTO signing_keys (kid, public_jwk, sealed_private_jwk, signs_from, token_lifetime)
       VALUES ($1, $2, $3, now() + $4 * interval '1 second', $5)`,
      [kid, JSON.stringify(publicJwk), sealedPrivateJwk, signsInSeconds, tokenLifetime],
    );
  }

  /** Newest first. */
  list(ctx: RequestContext): Promise<SigningKey[]> {
    return selectRows(ctx.manager, SigningKey, 'ORDER BY signs_from DESC, kid');
  }

  async listPublic(ctx: RequestContext): Promise<SigningKeyJwk[]> {
    const rows: { publicJwk: SigningKeyJwk }[] = await ctx.manager.query(
      'SELECT public_jwk AS "publicJwk" FROM signing_keys ORDER BY signs_from DESC, kid',
    );
    return rows.map(({ publicJwk }) => publicJwk);
  }

  /** Whether the newest key has been signing for this many seconds, or there is no key. */
  async isRotationDue(ctx: RequestContext, rotationSeconds: number): Promise<boolean> {
    const rows: { due: boolean }[] = await ctx.manager.query(
      `SELECT COALESCE(max(signs_from) + $1 * interval '1 second' <= now(), true) AS due
         FROM signing_keys`,
      [rotationSeconds],
    );
    return rows[0]?.due === true;
  }

  /** Records the lifetime of tokens, in seconds, with the keys that can still sign. */
  async coverLifetime(ctx: RequestContext, tokenLifetime: number): Promise<void> {
    await ctx.manager.query(
      `UPDATE signing_keys SET token_lifetime = $1
        WHERE token_lifetime < $1
          AND signs_from >= (SELECT max(signs_from) FROM signing_keys WHERE signs_from <= now())`,
      [tokenLifetime],
    );
  }

  /**
   * Deletes the keys whose tokens expired more than `windowSeconds` ago, when they can no longer be
   * looked up. A key signs until its successor does.
   */
  async deleteSpent(ctx: RequestContext, windowSeconds: number): Promise<void> {
    await ctx.manager.query(
      `DELETE FROM signing_keys USING (
         SELECT kid, lead(signs_from) OVER (ORDER BY signs_from) AS signed_until FROM signing_keys
       ) AS periods
        WHERE signing_keys.kid = periods.kid
          AND periods.signed_until + (token_lifetime + $1) * interval '1 second' <= now()`,
      [windowSeconds],
    );
  }
}

export const signingKeys = new SigningKeyRepository();
