/**
 * Brings the limits of storage from identity, where administrators set them, into the service's own
 * table, where writes read them: while identity is away, the limits that are known hold.
 */
import {
  UnifiedLimitsClient,
  type LimitsByResource,
} from '@cumulet/clients/identity/unified-limits-client';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnavailableError } from '@cumulet/common/errors/domain-error';
import type { Units } from '@cumulet/common/quotas/define-quotas';
import { ALL_PROJECTS } from '@cumulet/common/quotas/quota-limit.entity';
import { SweepEvery } from '@cumulet/common/service/background';
import { LOGGER } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { STORAGE_QUOTA_NAMES, StorageQuotas, type StorageQuota } from './storage-quotas.js';

export type UnifiedLimits = Pick<UnifiedLimitsClient, 'read'>;

/** Tests replace it. */
export const UNIFIED_LIMITS = Symbol('unified limits');

/** How long a change of a limit takes to hold, at most. */
const EVERY_MS = 15_000;

@Injectable()
export class LimitsSweep {
  constructor(
    @Inject(UNIFIED_LIMITS) private readonly limits: UnifiedLimits,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly quotas: StorageQuotas,
  ) {}

  @SweepEvery(EVERY_MS, 'unified-limits')
  async run(ctx: RequestContext): Promise<void> {
    try {
      const { defaults, byProject } = await this.limits.read('s3');
      const own = [...byProject].map(([id, limits]) => [id, known(limits)] as const);
      await this.quotas.replaceAll(ctx, new Map([[ALL_PROJECTS, known(defaults)], ...own]));
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      this.logger.warn({ err: error }, 'limits could not be read; those that are known hold');
    }
  }
}

/** Other resources are no business of storage. */
function known(limits: LimitsByResource): Partial<Units<StorageQuota>> {
  const entries = STORAGE_QUOTA_NAMES.flatMap((name) => {
    const limit = limits[name];
    return limit === undefined ? [] : [[name, Math.max(-1, limit)] as const];
  });
  return Object.fromEntries(entries);
}
