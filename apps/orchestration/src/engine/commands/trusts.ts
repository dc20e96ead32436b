/** A stack acts for its owner by a trust, which is renewed by the user of each action. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { LOGGER } from '@cumulet/common/service/tokens';
import { NewTrusts } from '@cumulet/common/trusts/new-trusts';
import type { Logger } from 'pino';
import type { Stack } from '../../rows/stack.entity.js';
import { EnginePorts } from '../engine-ports.js';

export type TrustColumns = Partial<Pick<Stack, 'trustId' | 'formerTrustIds'>>;

@Injectable()
export class Trusts extends NewTrusts {
  constructor(
    private readonly ports: EnginePorts,
    @Inject(LOGGER) logger: Pick<Logger, 'warn'>,
  ) {
    super(ports, logger);
  }

  nameOfGiver(ctx: RequestContext): Promise<string> {
    return this.ports.userName(ctx);
  }

  /**
   * The columns of a stack whose action is the caller's. Work in progress keeps the former trust,
   * which ends with the action unless it was passed on. An administrator of another project cannot
   * grant a trust for the stack's project, so the stack keeps the trust that it has.
   */
  async renewed<T>(
    ctx: RequestContext,
    stack: Stack,
    work: (columns: TrustColumns) => Promise<T>,
  ): Promise<T> {
    if (stack.trustId !== null && ctx.projectId !== stack.projectId) return work({});
    return this.replaced(ctx, stack, work);
  }

  /**
   * The same for actions that create nothing: an administrator of another project uses a trust of
   * their own where the stack's has ended, and a caller who may not grant one uses the existing one.
   */
  async renewedIfPossible<T>(
    ctx: RequestContext,
    stack: Stack,
    work: (columns: TrustColumns) => Promise<T>,
  ): Promise<T> {
    if (stack.trustId === null) return this.replaced(ctx, stack, work);
    const isOfOthers = ctx.projectId !== stack.projectId;
    if (isOfOthers && (await this.ports.isTrustValid(stack.trustId))) return work({});
    const begun = { is: false };
    try {
      return await this.replaced(ctx, stack, (columns) => {
        begun.is = true;
        return work(columns);
      });
    } catch (error) {
      if (begun.is || !(error instanceof ForbiddenError)) throw error;
      return work({});
    }
  }

  private async replaced<T>(
    ctx: RequestContext,
    stack: Stack,
    work: (columns: TrustColumns) => Promise<T>,
  ): Promise<T> {
    const { trustId: former } = stack;
    const formerTrustIds = [...stack.formerTrustIds, ...(former === null ? [] : [former])];
    return this.withNew(ctx, (trustId) => work({ trustId, formerTrustIds }));
  }
}

export function trustsOf({ trustId, formerTrustIds }: TrustColumns): readonly string[] {
  const last = trustId === null || trustId === undefined ? [] : [trustId];
  return [...(formerTrustIds ?? []), ...last];
}
