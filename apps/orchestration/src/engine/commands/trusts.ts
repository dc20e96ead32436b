/** Leave to act for whoever asks, for as long as the stack needs it. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { LOGGER } from '@cumulet/common/service/tokens';
import type { Logger } from 'pino';
import type { Stack } from '../../stacks/stack.entity.js';
import { EnginePorts } from '../engine-ports.js';

export type TrustColumns = Partial<Pick<Stack, 'trustId' | 'formerTrustIds'>>;

@Injectable()
export class Trusts {
  constructor(
    private readonly ports: EnginePorts,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** The name of who gives it. */
  nameOfGiver(ctx: RequestContext): Promise<string> {
    return this.ports.userName(ctx);
  }

  /** Ends the trust again where the work fails. */
  async withNew<T>(ctx: RequestContext, work: (trustId: string) => Promise<T>): Promise<T> {
    const trustId = await this.ports.createTrust(ctx);
    try {
      return await work(trustId);
    } catch (error) {
      await this.end(trustId);
      throw error;
    }
  }

  /** Of a stack that is gone. */
  async endAll({ trustId, formerTrustIds }: TrustColumns): Promise<void> {
    const all = [
      ...(formerTrustIds ?? []),
      ...(trustId === null || trustId === undefined ? [] : [trustId]),
    ];
    for (const one of all) await this.end(one);
  }

  /** One that cannot be ended is of no use but to this service. */
  private async end(trustId: string): Promise<void> {
    await this.ports
      .endTrust(trustId)
      .catch((err: unknown) => this.logger.warn({ err, trustId }, 'could not end a trust'));
  }

  /**
   * The columns of a stack whose action is whoever's asks for it. What is under way goes on by the
   * trust before, which ends with the action.
   */
  async renewed<T>(
    ctx: RequestContext,
    stack: Stack,
    work: (columns: TrustColumns) => Promise<T>,
  ): Promise<T> {
    const { trustId: former } = stack;
    const formerTrustIds = [...stack.formerTrustIds, ...(former === null ? [] : [former])];
    return this.withNew(ctx, (trustId) => work({ trustId, formerTrustIds }));
  }

  /** The same, by the trust that there is where whoever asks may give none. */
  async renewedIfPossible<T>(
    ctx: RequestContext,
    stack: Stack,
    work: (columns: TrustColumns) => Promise<T>,
  ): Promise<T> {
    const begun = { is: false };
    try {
      return await this.renewed(ctx, stack, (columns) => {
        begun.is = true;
        return work(columns);
      });
    } catch (error) {
      const isRefused = error instanceof ForbiddenError && !begun.is;
      if (stack.trustId === null || !isRefused) throw error;
      return work({});
    }
  }
}
