import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { Revocation } from './revocation.entity.js';

@Injectable()
export class RevocationRepository {
  async insert(ctx: RequestContext, revocation: Revocation): Promise<void> {
    await ctx.manager.insert(Revocation, revocation);
  }

  /** The events that a token may still match, in a fixed order. */
  listLive(ctx: RequestContext): Promise<Revocation[]> {
    return selectRows(ctx.manager, Revocation, 'WHERE expires_at > now() ORDER BY revoked_at, id');
  }

  async deleteExpired(ctx: RequestContext): Promise<void> {
    await ctx.manager.query('DELETE FROM revocations WHERE expires_at <= now()');
  }
}
