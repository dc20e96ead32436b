import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { regions } from '../regions/regions.service.js';
import { InUseError } from '../resource/resource.errors.js';
import { ResourceService, ResourceTable } from '../resource/resource.service.js';
import { services } from '../services/services.service.js';
import type { CreateRegisteredLimitDto } from './registered-limit.dto.js';
import { RegisteredLimit } from './registered-limit.entity.js';

const inUse = ({ id = '' }: { readonly id?: string }): DomainError =>
  new InUseError(
    `Cannot delete the registered limit ${id}, nor change its service_id, region_id or resource_name: there are limits of it.`,
  );

const duplicate = ({ resourceName = '' }: Partial<RegisteredLimit>): DomainError =>
  new DomainError(
    'conflict',
    `A service has one registered limit of a resource in a region, and one in all regions; there is one of ${resourceName} already, or it is named twice.`,
  );

/** A limit of a service, a region, a project or a domain that is not there. */
export class UnknownLimitReferenceError extends InvalidInputError {
  constructor(property: string, id: string | null = '') {
    super(`Invalid input: ${property} must name what exists: ${id ?? ''}.`);
  }
}

export const registeredLimits = new ResourceTable(RegisteredLimit, 'registered limit', {
  refusals: {
    registered_limits_key: duplicate,
    registered_limits_region_key: duplicate,
    limits_registered_limit_id_fkey: inUse,
  },
});

/** What the limit is of. */
const SUBJECT = ['serviceId', 'regionId', 'resourceName'] as const;

@Injectable()
export class RegisteredLimitsService extends ResourceService<
  RegisteredLimit,
  CreateRegisteredLimitDto
> {
  protected readonly table = registeredLimits;
  protected override readonly mayChangeNothing = true;

  /** @throws UnknownLimitReferenceError, DomainError for a second one of the same */
  override async create(
    ctx: RequestContext,
    dto: CreateRegisteredLimitDto,
  ): Promise<RegisteredLimit> {
    await refuseUnknown(ctx, dto.service_id, dto.region_id);
    return super.create(ctx, dto);
  }

  /** What a limit is of stays as it is while projects or domains have limits of their own of it. */
  protected override async allow(
    tx: RequestContext,
    before: RegisteredLimit,
    change: Partial<RegisteredLimit>,
  ): Promise<void> {
    const isSame = (one: (typeof SUBJECT)[number]): boolean =>
      change[one] === undefined || change[one] === before[one];
    if (SUBJECT.every(isSame)) return;
    // Of those that stay the same, the service or the region may be gone.
    await refuseUnknown(
      tx,
      isSame('serviceId') ? undefined : change.serviceId,
      isSame('regionId') ? undefined : change.regionId,
    );
    const [limit]: unknown[] = await tx.manager.query(
      'SELECT FROM limits WHERE registered_limit_id = $1 LIMIT 1',
      [before.id],
    );
    if (limit) throw inUse(before);
  }
}

/**
 * Limits are made for what there is, although they outlive it.
 * @throws UnknownLimitReferenceError
 */
export async function refuseUnknown(
  ctx: RequestContext,
  serviceId?: string,
  regionId?: string | null,
): Promise<void> {
  if (serviceId !== undefined && !(await services.find(ctx, serviceId)))
    throw new UnknownLimitReferenceError('service_id', serviceId);
  if (regionId != null && !(await regions.find(ctx, regionId)))
    throw new UnknownLimitReferenceError('region_id', regionId);
}
