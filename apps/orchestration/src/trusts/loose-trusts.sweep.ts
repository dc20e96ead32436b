/**
 * Ends trusts that are no stack's: a request died between a trust and the row that it was made for, or
 * identity was away when one was to end.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SweepEvery } from '@cumulet/common/service/background';
import { LOGGER } from '@cumulet/common/service/tokens';
import type { Logger } from 'pino';
import { EnginePorts } from '../engine/engine-ports.js';
import { looseTrusts, type OldTrust } from './loose-trust.repository.js';

@Injectable()
export class LooseTrustsSweep {
  constructor(
    private readonly ports: EnginePorts,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  @SweepEvery(300_000, 'loose-trusts')
  async end(ctx: RequestContext): Promise<void> {
    const old = await looseTrusts.old(ctx);
    if (old.length === 0) return;
    try {
      const trusts = await this.trustsOf(old);
      const used = await looseTrusts.used(ctx, trusts);
      for (const one of trusts) if (!used.has(one)) await this.ports.endTrust(one);
    } catch (err) {
      this.logger.warn({ err }, 'could not end trusts that are no stack’s; they stay for later');
      return;
    }
    await looseTrusts.forget(
      ctx,
      old.map(({ id }) => id),
    );
  }

  /** By their ids; those of which only the moment of expiry is known are looked for. */
  private async trustsOf(old: readonly OldTrust[]): Promise<string[]> {
    const known = old.flatMap(({ trustId }) => (trustId === null ? [] : [trustId]));
    const expiries = new Set(
      old.flatMap(({ trustId, expiresAt }) =>
        trustId === null && expiresAt !== null ? [expiresAt.getTime()] : [],
      ),
    );
    if (expiries.size === 0) return known;
    const given = await this.ports.givenTrusts();
    const found = given.filter(
      ({ expiresAt }) => expiresAt !== null && expiries.has(expiresAt.getTime()),
    );
    return [...known, ...found.map(({ id }) => id)];
  }
}
