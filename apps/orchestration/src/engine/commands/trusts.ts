/**
 * Leave to act for whoever asks, for as long as the stack needs it.
 *
 * Always holds: before a trust is asked for, it is written down that there may be one. What no stack
 * comes to have is ended, by the request or by a sweep (loose-trusts.sweep.ts).
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { LOGGER } from '@cumulet/common/service/tokens';
import type { Logger } from 'pino';
import type { Stack } from '../../stacks/stack.entity.js';
import { looseTrusts } from '../../trusts/loose-trust.repository.js';
import { EnginePorts } from '../engine-ports.js';
import { isRefusal } from '../goals/phases.js';

export type TrustColumns = Partial<Pick<Stack, 'trustId' | 'formerTrustIds'>>;

/** Longer than any stack; the moment itself tells a trust from all others. */
const LIFE_MS = 100 * 365 * 86_400_000;

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
    const expiresAt = new Date(Date.now() + LIFE_MS);
    const looseId = await looseTrusts.expect(ctx, expiresAt);
    const trustId = await this.made(ctx, looseId, expiresAt);
    try {
      const result = await work(trustId);
      await this.forget(ctx, looseId);
      return result;
    } catch (error) {
      if (await this.end(trustId)) await this.forget(ctx, looseId);
      throw error;
    }
  }

  /** Where identity says no, none was made. */
  private async made(ctx: RequestContext, looseId: string, expiresAt: Date): Promise<string> {
    try {
      return await this.ports.createTrust(ctx, expiresAt);
    } catch (error) {
      if (isRefusal(error)) await this.forget(ctx, looseId);
      throw error;
    }
  }

  /** What is not forgotten is looked at by the sweep, which finds the trust in use, or gone. */
  private async forget(ctx: RequestContext, looseId: string): Promise<void> {
    await looseTrusts
      .forget(ctx, [looseId])
      .catch((err: unknown) => this.logger.warn({ err }, 'could not forget a trust'));
  }

  /** Of a stack that is gone; what cannot be ended now is ended later. */
  async endAll(ctx: RequestContext, columns: TrustColumns): Promise<void> {
    const all = trustsOf(columns);
    const ended: string[] = [];
    for (const one of all) if (await this.end(one)) ended.push(one);
    await looseTrusts.forgetEnded(ctx, ended);
  }

  private async end(trustId: string): Promise<boolean> {
    try {
      await this.ports.endTrust(trustId);
      return true;
    } catch (err) {
      this.logger.warn({ err, trustId }, 'could not end a trust; it is tried again later');
      return false;
    }
  }

  /**
   * The columns of a stack whose action is whoever's asks for it. What is under way goes on by the
   * trust before, which ends with the action. Somebody of another project, an administrator, can give
   * no leave for that of the stack: it stays with whom it has.
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
   * The same for what makes nothing: an administrator of another project does it by a trust of their
   * own where that of the stack has ended; and who may give none, by that which there is.
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

/** All that a stack has. */
export function trustsOf({ trustId, formerTrustIds }: TrustColumns): readonly string[] {
  const last = trustId === null || trustId === undefined ? [] : [trustId];
  return [...(formerTrustIds ?? []), ...last];
}
