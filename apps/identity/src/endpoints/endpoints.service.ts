import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { newId } from '../database/new-id.js';
import { refuseOtherId } from '../http/other-id.js';
import { refuseEmpty } from '../http/refuse-empty.js';
import type { RegionId } from '../regions/region.entity.js';
import { ensureRegion } from '../regions/regions.service.js';
import type { CreateEndpointDto, UpdateEndpointDto } from './endpoint.dto.js';
import type { Endpoint } from './endpoint.entity.js';
import { EndpointNotFoundError } from './endpoint.errors.js';
import { EndpointRepository, type EndpointFields } from './endpoint.repository.js';

@Injectable()
export class EndpointsService {
  constructor(private readonly endpoints: EndpointRepository) {}

  /** @throws EndpointNotFoundError */
  async get(ctx: RequestContext, id: string): Promise<Endpoint> {
    const endpoint = await this.endpoints.find(ctx, id);
    if (!endpoint) throw new EndpointNotFoundError(id);
    return endpoint;
  }

  /** @throws UnknownReferenceError, InvalidInputError */
  create(ctx: RequestContext, dto: CreateEndpointDto): Promise<EndpointFields> {
    return inTransaction(ctx, async (tx) => {
      const endpoint: EndpointFields = {
        id: newId(),
        serviceId: asId(dto.service_id),
        regionId: (await this.#region(tx, dto)) ?? null,
        interface: dto.interface,
        url: dto.url,
        enabled: dto.enabled ?? true,
        extra: dto.extra ?? {},
      };
      await this.endpoints.insert(tx, endpoint);
      return endpoint;
    });
  }

  /**
   * @throws EndpointNotFoundError
   * @throws UnknownReferenceError, InvalidInputError
   */
  async update(ctx: RequestContext, id: string, dto: UpdateEndpointDto): Promise<EndpointFields> {
    refuseEmpty('endpoint', dto);
    refuseOtherId('endpoint', id, dto.id);
    return inTransaction(ctx, async (tx) => {
      const endpoint = await this.endpoints.findForUpdate(tx, id);
      if (!endpoint) throw new EndpointNotFoundError(id);
      const regionId = await this.#region(tx, dto);
      const changed: EndpointFields = {
        id: endpoint.id,
        serviceId: dto.service_id === undefined ? endpoint.serviceId : asId(dto.service_id),
        regionId: regionId === undefined ? endpoint.regionId : regionId,
        interface: dto.interface ?? endpoint.interface,
        url: dto.url ?? endpoint.url,
        enabled: dto.enabled ?? endpoint.enabled,
        extra: { ...endpoint.extra, ...dto.extra },
      };
      await this.endpoints.save(tx, changed);
      return changed;
    });
  }

  /** @throws EndpointNotFoundError */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    if (!(await this.endpoints.delete(ctx, id))) throw new EndpointNotFoundError(id);
  }

  /** The region that is asked for; null for none, undefined where nothing is said of it. */
  async #region(
    tx: RequestContext,
    { region_id: regionId, region }: UpdateEndpointDto,
  ): Promise<RegionId | null | undefined> {
    if (regionId != null) return asId(regionId);
    if (region == null) return regionId === null || region === null ? null : undefined;
    return ensureRegion(tx, region);
  }
}
