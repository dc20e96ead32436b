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
    const trusts = await this.trustsOf(old);
    const used = await looseTrusts.used(ctx, [...trusts.values()].flat());
    for (const [id, ofRow] of trusts) {
      const isDone = await this.areEnded(ofRow.filter((one) => !used.has(one)));
      if (isDone) await looseTrusts.forget(ctx, [id]);
    }
  }

  /** One that cannot be ended yet must not keep the others. */
  private async areEnded(trustIds: readonly string[]): Promise<boolean> {
    try {
      for (const one of trustIds) await this.ports.endTrust(one);
      return true;
    } catch (err) {
      this.logger.warn({ err }, 'could not end a trust that is no stack’s; it stays for later');
      return false;
    }
  }

  /** Of rows, by their ids; one of which only the moment of expiry is known is looked for. */
  private async trustsOf(old: readonly OldTrust[]): Promise<ReadonlyMap<string, string[]>> {
    const isAnyUnheard = old.some(({ trustId }) => trustId === null);
    const given = isAnyUnheard ? await this.ports.givenTrusts() : [];
    const at = (expiresAt: Date | null): string[] =>
      given
        .filter((one) => expiresAt !== null && one.expiresAt?.getTime() === expiresAt.getTime())
        .map(({ id }) => id);
    return new Map(
      old.map(({ id, trustId, expiresAt }) => [id, trustId === null ? at(expiresAt) : [trustId]]),
    );
  }
}
