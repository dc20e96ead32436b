import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
  invalid,
} from '@cumulet/common/errors/domain-error';
import { type Condition, equals } from '@cumulet/common/tables/condition';
import { newId } from '../database/new-id.js';
import { scopeDomainOf } from '../policy/caller.js';
import { cloudAdmin, service, systemReader } from '../policy/personas.js';
import { NOTHING, type Subject } from '../policy/policy-target.js';
import { authorise } from '../policy/policy.js';
import { regions } from '../regions/regions.service.js';
import { InUseError, NotFoundError } from '../resource/resource.errors.js';
import { ResourceService, ResourceTable } from '../resource/resource.service.js';
import { services } from '../services/services.controller.js';
import {
  type CreateLimitDto,
  type CreateRegisteredLimitDto,
  Limit,
  OWNER_DOMAIN,
  RegisteredLimit,
} from './limit.resource.js';

const inUse = ({ id = '' }: { readonly id?: string }): DomainError =>
  new InUseError(
    `Cannot delete the registered limit ${id}, or change its service_id, region_id or resource_name, while limits refer to it.`,
  );

const duplicate = ({ resourceName = '' }: Partial<RegisteredLimit>): DomainError =>
  new DomainError(
    'conflict',
    `A registered limit of ${resourceName} exists already for the service and the region, or the request contains it twice.`,
  );

class UnknownLimitReferenceError extends invalid(
  (property: string, id: string | null = '') =>
    `Invalid input: ${property} '${id ?? ''}' does not exist.`,
) {}

const registeredLimits = new ResourceTable(RegisteredLimit, 'registered limit', {
  refusals: {
    registered_limits_key: duplicate,
    registered_limits_region_key: duplicate,
    limits_registered_limit_id_fkey: inUse,
  },
});

const SUBJECT = ['serviceId', 'regionId', 'resourceName'] as const;

@Injectable()
export class RegisteredLimitsService extends ResourceService<
  RegisteredLimit,
  CreateRegisteredLimitDto
> {
  protected readonly table = registeredLimits;
  protected override readonly mayChangeNothing = true;

  /** @throws UnknownLimitReferenceError, DomainError for a duplicate */
  override async create(
    ctx: RequestContext,
    dto: CreateRegisteredLimitDto,
  ): Promise<RegisteredLimit> {
    await refuseUnknown(ctx, dto.service_id, dto.region_id);
    return super.create(ctx, dto);
  }

  /** Service, region and resource are fixed while limits refer to it. */
  protected override async allow(
    tx: RequestContext,
    before: RegisteredLimit,
    change: Partial<RegisteredLimit>,
  ): Promise<void> {
    const isSame = (one: (typeof SUBJECT)[number]): boolean =>
      change[one] === undefined || change[one] === before[one];
    if (SUBJECT.every(isSame)) return;
    // A service or a region that stays the same may have been removed.
    await refuseUnknown(
      tx,
      isSame('serviceId') ? undefined : change.serviceId,
      isSame('regionId') ? undefined : change.regionId,
    );
    if (await limits.has(tx, [equals('registeredLimitId', before.id)])) throw inUse(before);
  }
}

/** New limits must refer to what exists, although they outlive it. @throws UnknownLimitReferenceError */
async function refuseUnknown(
  ctx: RequestContext,
  serviceId?: string,
  regionId?: string | null,
): Promise<void> {
  if (serviceId !== undefined && !(await services.find(ctx, serviceId)))
    throw new UnknownLimitReferenceError('service_id', serviceId);
  if (regionId != null && !(await regions.find(ctx, regionId)))
    throw new UnknownLimitReferenceError('region_id', regionId);
}

export class LimitTable extends ResourceTable<Limit> {
  /** Public source: Keystone API reference, "List Limits". */
  override visibleTo(ctx: RequestContext): Condition[] {
    if ([cloudAdmin, systemReader, service].some((persona) => persona.is(ctx, NOTHING))) return [];
    const domainId = scopeDomainOf(ctx);
    if (domainId !== undefined) return [(bind) => `${OWNER_DOMAIN} = ${bind(domainId)}`];
    const { projectId } = ctx.fields;
    return [projectId === undefined ? () => 'false' : equals('projectId', projectId)];
  }
}

export const limits = new LimitTable(Limit, 'limit', {
  refusals: {
    limits_project_id_fkey: ({ projectId }) =>
      new UnknownLimitReferenceError('project_id', projectId),
    limits_domain_id_fkey: ({ domainId }) => new UnknownLimitReferenceError('domain_id', domainId),
  },
});

@Injectable()
export class LimitsService extends ResourceService<Limit, CreateLimitDto> {
  protected readonly table = limits;
  protected override readonly mayChangeNothing = true;

  /** @throws ForbiddenError, also for a limit that does not exist, unless the caller may see all */
  override async get(ctx: RequestContext, id: string): Promise<Limit> {
    const limit = await limits.find(ctx, id);
    authorise(ctx, 'identity:get_limit', { ...NOTHING, subjects: [limit && ownerOf(limit)] });
    if (!limit) throw new NotFoundError('limit', id);
    return limit;
  }

  /** @throws InvalidInputError unless each is for a project or for a domain, or as `create` */
  override createAll(ctx: RequestContext, dtos: readonly CreateLimitDto[]): Promise<Limit[]> {
    for (const { project_id: projectId, domain_id: domainId, resource_name: name } of dtos) {
      if ((projectId == null) === (domainId == null))
        throw new InvalidInputError(
          `Invalid input: the limit of ${name} must have either project_id or domain_id.`,
        );
    }
    return super.createAll(ctx, dtos);
  }

  /**
   * The registered limit keeps its resource until the transaction ends.
   * @throws UnknownLimitReferenceError, ForbiddenError without a registered limit, DomainError for a
   *   duplicate
   */
  override create(ctx: RequestContext, dto: CreateLimitDto): Promise<Limit> {
    return inTransaction(ctx, async (tx) => {
      const {
        service_id: serviceId,
        region_id: regionId = null,
        resource_name: resourceName,
      } = dto;
      const subject = [
        equals('serviceId', serviceId),
        equals('regionId', regionId),
        equals('resourceName', resourceName),
      ];
      await refuseUnknown(tx, serviceId, regionId);
      const [registered] = await registeredLimits.select(tx, subject, 'FOR KEY SHARE');
      if (!registered) return refuse(serviceId, regionId, resourceName);
      const columns = limits.changeOf(tx, dto);
      const row = { ...columns, id: newId<Limit['id']>(), registeredLimitId: registered.id };
      const duplicate = (): DomainError =>
        new DomainError(
          'conflict',
          `A limit of ${resourceName} exists already for the project or the domain, or the request contains it twice.`,
        );
      const refusals = { limits_project_key: duplicate, limits_domain_key: duplicate };
      return limits.insert(tx, row, { refusals });
    });
  }
}

function ownerOf({ projectId, ownerDomainId: domainId }: Limit): Subject {
  return projectId === null
    ? { kind: 'domain', id: domainId, domainId }
    : { kind: 'project', id: projectId, domainId };
}

function refuse(serviceId: string, regionId: string | null, resourceName: string): never {
  const where = regionId === null ? 'without a region' : `in the region ${regionId}`;
  throw new ForbiddenError(
    `Cannot create a limit of ${resourceName}: the service ${serviceId} has no registered limit of it ${where}.`,
  );
}
