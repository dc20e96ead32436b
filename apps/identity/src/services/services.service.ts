import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { newId } from '../database/new-id.js';
import { refuseOtherId } from '../http/other-id.js';
import { refuseEmpty } from '../http/refuse-empty.js';
import type { CreateServiceDto, UpdateServiceDto } from './service.dto.js';
import type { Service } from './service.entity.js';
import { ServiceNotFoundError } from './service.errors.js';
import { ServiceRepository, type ServiceFields } from './service.repository.js';

@Injectable()
export class ServicesService {
  constructor(private readonly services: ServiceRepository) {}

  /** @throws ServiceNotFoundError */
  async get(ctx: RequestContext, id: string): Promise<Service> {
    const service = await this.services.find(ctx, id);
    if (!service) throw new ServiceNotFoundError(id);
    return service;
  }

  async create(ctx: RequestContext, dto: CreateServiceDto): Promise<ServiceFields> {
    const service: ServiceFields = {
      id: newId(),
      type: dto.type,
      name: dto.name ?? '',
      description: dto.description ?? '',
      enabled: dto.enabled ?? true,
      extra: dto.extra ?? {},
    };
    await this.services.insert(ctx, service);
    return service;
  }

  /** @throws ServiceNotFoundError */
  async update(ctx: RequestContext, id: string, dto: UpdateServiceDto): Promise<ServiceFields> {
    refuseEmpty('service', dto);
    refuseOtherId('service', id, dto.id);
    return inTransaction(ctx, async (tx) => {
      const service = await this.services.findForUpdate(tx, id);
      if (!service) throw new ServiceNotFoundError(id);
      const changed: ServiceFields = {
        id: service.id,
        type: dto.type ?? service.type,
        name: dto.name === undefined ? service.name : (dto.name ?? ''),
        description: dto.description === undefined ? service.description : (dto.description ?? ''),
        enabled: dto.enabled ?? service.enabled,
        extra: { ...service.extra, ...dto.extra },
      };
      await this.services.save(tx, changed);
      return changed;
    });
  }

  /**
   * @throws ServiceNotFoundError
   * @throws ServiceInUseError
   */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    if (!(await this.services.delete(ctx, id))) throw new ServiceNotFoundError(id);
  }
}
