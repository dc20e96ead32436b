import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { newId } from '../database/new-id.js';
import { NOTHING, type Subject } from '../policy/policy-target.js';
import { authorise } from '../policy/policy.js';
import { regions } from '../regions/regions.service.js';
import { UnknownLimitReferenceError } from '../registered-limits/registered-limit.errors.js';
import { services } from '../services/services.service.js';
import type { CreateLimitDto, UpdateLimitDto } from './limit.dto.js';
import { LimitNotFoundError, LimitOwnerError, NoRegisteredLimitError } from './limit.errors.js';
import { LimitRepository, type LimitFields, type LimitRow } from './limit.repository.js';

@Injectable()
export class LimitsService {
  constructor(private readonly limits: LimitRepository) {}

  /**
   * @throws ForbiddenError, too for a limit that is not there, unless the caller may see any
   * @throws LimitNotFoundError
   */
  async get(ctx: RequestContext, id: string): Promise<LimitRow> {
    const limit = await this.limits.find(ctx, id);
    authorise(ctx, 'identity:get_limit', { ...NOTHING, subjects: [limit && ownerOf(limit)] });
    if (!limit) throw new LimitNotFoundError(id);
    return limit;
  }

  /**
   * All of them or none.
   * @throws LimitOwnerError unless each is of a project or of a domain
   * @throws NoRegisteredLimitError
   * @throws UnknownLimitReferenceError
   * @throws DuplicateLimitError
   */
  async create(ctx: RequestContext, dtos: readonly CreateLimitDto[]): Promise<LimitFields[]> {
    const limits = dtos.map(newLimit);
    await inTransaction(ctx, async (tx) => {
      const made = new Set(await this.limits.insert(tx, limits));
      const refused = limits.find(({ id }) => !made.has(id));
      if (refused) await this.#refuse(tx, refused);
    });
    return limits;
  }

  /** @throws LimitNotFoundError */
  async update(ctx: RequestContext, id: string, dto: UpdateLimitDto): Promise<LimitFields> {
    return inTransaction(ctx, async (tx) => {
      const limit = await this.limits.findForUpdate(tx, id);
      if (!limit) throw new LimitNotFoundError(id);
      const changed = {
        ...limit,
        resourceLimit: dto.resource_limit ?? limit.resourceLimit,
        description: dto.description === undefined ? limit.description : dto.description,
      };
      await this.limits.save(tx, changed);
      return changed;
    });
  }

  /** @throws LimitNotFoundError */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    if (!(await this.limits.delete(ctx, id))) throw new LimitNotFoundError(id);
  }

  /** Says why a limit was not made. */
  async #refuse(ctx: RequestContext, limit: LimitFields): Promise<never> {
    const { serviceId, regionId, resourceName } = limit;
    if (!(await services.find(ctx, serviceId)))
      throw new UnknownLimitReferenceError('service_id', [serviceId]);
    if (regionId !== null && !(await regions.find(ctx, regionId)))
      throw new UnknownLimitReferenceError('region_id', [regionId]);
    throw new NoRegisteredLimitError(resourceName, serviceId, regionId);
  }
}

function newLimit(dto: CreateLimitDto): LimitFields {
  const { project_id: projectId, domain_id: domainId } = dto;
  if ((projectId == null) === (domainId == null)) throw new LimitOwnerError(dto.resource_name);
  return {
    id: newId(),
    projectId: projectId == null ? null : asId(projectId),
    domainId: domainId == null ? null : asId(domainId),
    serviceId: asId(dto.service_id),
    regionId: dto.region_id == null ? null : asId(dto.region_id),
    resourceName: dto.resource_name,
    resourceLimit: dto.resource_limit,
    description: dto.description ?? null,
  };
}

function ownerOf({ projectId, ownerDomainId: domainId }: LimitRow): Subject {
  return projectId === null
    ? { kind: 'domain', id: domainId, domainId }
    : { kind: 'project', id: projectId, domainId };
}
