import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { newId } from '../database/new-id.js';
import type { RegionId } from '../regions/region.entity.js';
import type { CreateRegisteredLimitDto, UpdateRegisteredLimitDto } from './registered-limit.dto.js';
import type { RegisteredLimit } from './registered-limit.entity.js';
import {
  RegisteredLimitInUseError,
  RegisteredLimitNotFoundError,
} from './registered-limit.errors.js';
import {
  RegisteredLimitRepository,
  type RegisteredLimitFields,
} from './registered-limit.repository.js';

@Injectable()
export class RegisteredLimitsService {
  constructor(private readonly limits: RegisteredLimitRepository) {}

  /** @throws RegisteredLimitNotFoundError */
  async get(ctx: RequestContext, id: string): Promise<RegisteredLimit> {
    const limit = await this.limits.find(ctx, id);
    if (!limit) throw new RegisteredLimitNotFoundError(id);
    return limit;
  }

  /**
   * All of them or none.
   * @throws DuplicateRegisteredLimitError
   * @throws UnknownLimitReferenceError
   */
  async create(
    ctx: RequestContext,
    dtos: readonly CreateRegisteredLimitDto[],
  ): Promise<RegisteredLimitFields[]> {
    const limits = dtos.map((dto): RegisteredLimitFields => ({
      id: newId(),
      serviceId: asId(dto.service_id),
      regionId: regionOf(dto.region_id),
      resourceName: dto.resource_name,
      defaultLimit: dto.default_limit,
      description: dto.description ?? null,
    }));
    await this.limits.insert(ctx, limits);
    return limits;
  }

  /**
   * What a limit is of stays as it is while projects or domains have limits of their own of it.
   * @throws RegisteredLimitNotFoundError
   * @throws RegisteredLimitInUseError
   * @throws DuplicateRegisteredLimitError
   * @throws UnknownLimitReferenceError
   */
  async update(
    ctx: RequestContext,
    id: string,
    dto: UpdateRegisteredLimitDto,
  ): Promise<RegisteredLimitFields> {
    return inTransaction(ctx, async (tx) => {
      const limit = await this.limits.findForUpdate(tx, id);
      if (!limit) throw new RegisteredLimitNotFoundError(id);
      const changed = changedBy(limit, dto);
      if (!isOfTheSame(limit, changed) && (await this.limits.isInUse(tx, id)))
        throw new RegisteredLimitInUseError(id);
      await this.limits.save(tx, changed);
      return changed;
    });
  }

  /**
   * @throws RegisteredLimitNotFoundError
   * @throws RegisteredLimitInUseError
   */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    if (!(await this.limits.delete(ctx, id))) throw new RegisteredLimitNotFoundError(id);
  }
}

function changedBy(limit: RegisteredLimit, dto: UpdateRegisteredLimitDto): RegisteredLimitFields {
  return {
    id: limit.id,
    serviceId: dto.service_id === undefined ? limit.serviceId : asId(dto.service_id),
    regionId: dto.region_id === undefined ? limit.regionId : regionOf(dto.region_id),
    resourceName: dto.resource_name ?? limit.resourceName,
    defaultLimit: dto.default_limit ?? limit.defaultLimit,
    description: dto.description === undefined ? limit.description : dto.description,
  };
}

function isOfTheSame(one: RegisteredLimitFields, other: RegisteredLimitFields): boolean {
  return (
    one.serviceId === other.serviceId &&
    one.regionId === other.regionId &&
    one.resourceName === other.resourceName
  );
}

function regionOf(id: string | null | undefined): RegionId | null {
  return id == null ? null : asId(id);
}
