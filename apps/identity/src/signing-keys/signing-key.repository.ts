import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow } from '@cumulet/common/database/rows';
import { SigningKey, type NewSigningKey, type SigningKeyJwk } from './signing-key.entity.js';

@Injectable()
export class SigningKeyRepository {
  async insert(ctx: RequestContext, key: NewSigningKey): Promise<void> {
    await ctx.manager.insert(SigningKey, key);
  }

  newest(ctx: RequestContext): Promise<SigningKey | undefined> {
    return selectRow(ctx.manager, SigningKey, 'ORDER BY created_at DESC, kid LIMIT 1');
  }

  async listPublic(ctx: RequestContext): Promise<SigningKeyJwk[]> {
    const rows: { publicJwk: SigningKeyJwk }[] = await ctx.manager.query(
      'SELECT public_jwk AS "publicJwk" FROM signing_keys ORDER BY created_at DESC, kid',
    );
    return rows.map(({ publicJwk }) => publicJwk);
  }
}
