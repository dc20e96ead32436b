/**
 * Copies the limits of a service from identity, where administrators set them, into the service's own
 * table, so that no request waits for identity, and the last known limits hold while it is away. Public
 * source: Glance administration guide, "Per-Tenant Quotas".
 */
import { Inject, type Provider } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnavailableError } from '@cumulet/common/errors/domain-error';
import type { Units } from '@cumulet/common/quotas/define-quotas';
import { ALL_PROJECTS } from '@cumulet/common/quotas/quota-limit.entity';
import type { Quotas } from '@cumulet/common/quotas/quotas';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import { ActorCredentials } from './actor-credentials.js';
import { UnifiedLimitsClient, type LimitsByResource } from './unified-limits-client.js';

export type UnifiedLimits = Pick<UnifiedLimitsClient, 'read'>;

/** Tests replace it. */
export const UNIFIED_LIMITS = Symbol('unified limits');

export const unifiedLimits: Provider = {
  provide: UNIFIED_LIMITS,
  inject: [CONFIG, ActorCredentials],
  useFactory: ({ identityUrl }: { readonly identityUrl: string }, credentials: ActorCredentials) =>
    new UnifiedLimitsClient({ identityUrl, credentials }),
};

/** The maximum delay of a changed limit. */
const EVERY_MS = 15_000;

export abstract class LimitsOfService<Name extends string> {
  @Inject(UNIFIED_LIMITS)
  private readonly limits: UnifiedLimits;

  @Inject(LOGGER)
  private readonly logger: { warn(details: object, words: string): void };

  /** @param units the counted units per unit of each limit: bytes in a mebibyte */
  protected constructor(
    private readonly serviceType: string,
    private readonly quotas: Pick<Quotas<Name>, 'replaceAll'>,
    private readonly units: Units<Name>,
  ) {}

  @SweepEvery(EVERY_MS, 'unified-limits')
  async run(ctx: RequestContext): Promise<void> {
    try {
      const { defaults, byProject } = await this.limits.read(this.serviceType);
      const own = [...byProject].map(([id, limits]) => [id, this.#known(limits)] as const);
      await this.quotas.replaceAll(ctx, new Map([[ALL_PROJECTS, this.#known(defaults)], ...own]));
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      this.logger.warn({ err: error }, 'limits could not be read; the last known stay in force');
    }
  }

  /** The limits of this service, in counted units. */
  #known(limits: LimitsByResource): Partial<Units<Name>> {
    const known = Object.entries<number>(this.units).flatMap(([name, unit]) => {
      const limit = limits[name];
      if (limit === undefined) return [];
      return [[name, limit < 0 ? -1 : limit * unit] as const];
    });
    return Object.fromEntries(known) as Partial<Units<Name>>;
  }
}
