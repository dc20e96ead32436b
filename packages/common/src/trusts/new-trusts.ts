/**
 * Creates trusts of callers that rows of the service need.
 *
 * Always holds: a row announces each trust before it is created. A trust that no row refers to in
 * the end is ended by the request or by a sweep (loose-trusts.sweep.ts).
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { RequestContext } from '../context/request-context.js';
import { isRefusal } from '../states/refusal.js';
import { LOGGER } from '../service/tokens.js';
import { looseTrusts } from './loose-trust.repository.js';
import { TrustAuthority } from './trust-ports.js';

/** Outlives any row; the exact expiry identifies a trust. */
const LIFE_MS = 100 * 365 * 86_400_000;

@Injectable()
export class NewTrusts {
  constructor(
    protected readonly authority: TrustAuthority,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * Creates a trust of the caller, outside of any transaction, and ends it if the work fails.
   * @param work stores the trust in a row
   * @throws the errors of the work and of identity
   */
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

  /** Ends trusts of a deleted row, which are loose already; failures are left to the sweep. */
  async endAll(ctx: RequestContext, trustIds: readonly string[]): Promise<void> {
    const ended: string[] = [];
    for (const one of trustIds) if (await this.end(one)) ended.push(one);
    await looseTrusts.forgetEnded(ctx, ended);
  }

  /** If identity refuses, none was created. */
  private async made(ctx: RequestContext, looseId: string, expiresAt: Date): Promise<string> {
    try {
      return await this.authority.createTrust(ctx, expiresAt);
    } catch (error) {
      if (isRefusal(error)) await this.forget(ctx, looseId);
      throw error;
    }
  }

  /** Remaining rows are handled by the sweep, which finds the trust in use or gone. */
  private async forget(ctx: RequestContext, looseId: string): Promise<void> {
    await looseTrusts
      .forget(ctx, [looseId])
      .catch((err: unknown) => this.logger.warn({ err }, 'could not forget a trust'));
  }

  private async end(trustId: string): Promise<boolean> {
    try {
      await this.authority.endTrust(trustId);
      return true;
    } catch (err) {
      this.logger.warn({ err, trustId }, 'could not delete a trust; it is tried again later');
      return false;
    }
  }
}
