/**
 * Ends trusts that no row refers to: a request died between a trust and its row, or identity was
 * unreachable when one should have ended.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { RequestContext } from '../context/request-context.js';
import { SweepEvery } from '../service/background.js';
import { LOGGER } from '../service/tokens.js';
import { looseTrusts, type OldTrust } from './loose-trust.repository.js';
import { TrustAuthority, TrustHolders } from './trust-ports.js';
import { Feature } from '../service/feature.js';
import { LooseTrust } from './loose-trust.entity.js';
import { NewTrusts } from './new-trusts.js';

@Injectable()
export class LooseTrustsSweep {
  constructor(
    private readonly authority: TrustAuthority,
    private readonly holders: TrustHolders,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  @SweepEvery(300_000, 'loose-trusts')
  async end(ctx: RequestContext): Promise<void> {
    const old = await looseTrusts.old(ctx);
    if (old.length === 0) return;
    const trusts = await this.trustsOf(old);
    const held = await this.holders.heldTrusts(ctx, [...trusts.values()].flat());
    for (const [id, ofRow] of trusts) {
      const isDone = await this.areEnded(ofRow.filter((one) => !held.has(one)));
      if (isDone) await looseTrusts.forget(ctx, [id]);
    }
  }

  /** A trust that cannot be ended yet must not block others. */
  private async areEnded(trustIds: readonly string[]): Promise<boolean> {
    try {
      for (const one of trustIds) await this.authority.endTrust(one);
      return true;
    } catch (err) {
      this.logger.warn(
        { err },
        'could not delete a trust that nothing holds; it is tried again later',
      );
      return false;
    }
  }

  /** Trust IDs by row ID; a trust without a known ID is found by its expiry. */
  private async trustsOf(old: readonly OldTrust[]): Promise<ReadonlyMap<string, string[]>> {
    const isAnyUnheard = old.some(({ trustId }) => trustId === null);
    const given = isAnyUnheard ? await this.authority.givenTrusts() : [];
    const at = (expiresAt: Date | null): string[] =>
      given
        .filter((one) => expiresAt !== null && one.expiresAt?.getTime() === expiresAt.getTime())
        .map(({ id }) => id);
    return new Map(
      old.map(({ id, trustId, expiresAt }) => [id, trustId === null ? at(expiresAt) : [trustId]]),
    );
  }
}

/**
 * For every service that works through trusts and has the migration. The service provides
 * `TrustAuthority` and `TrustHolders`.
 */
@Feature({ providers: [LooseTrustsSweep, NewTrusts], entities: [LooseTrust] })
export class TrustsModule {}
