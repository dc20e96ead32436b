import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { ensureRegion } from '../regions/regions.service.js';
import { ResourceService, ResourceTable } from '../resource/resource.service.js';
import { type CreateEndpointDto, Endpoint } from './endpoint.resource.js';

const unknown = (kind: string, id: string | null = ''): InvalidInputError =>
  new InvalidInputError(`Invalid input: there is no ${kind} '${id ?? ''}'.`);

export const endpoints = new ResourceTable(Endpoint, 'endpoint', {
  refusals: {
    endpoints_service_id_fkey: ({ serviceId }) => unknown('service', serviceId),
    endpoints_region_id_fkey: ({ regionId }) => unknown('region', regionId),
  },
});

@Injectable()
export class EndpointsService extends ResourceService<Endpoint, CreateEndpointDto> {
  protected readonly table = endpoints;

  /** @throws InvalidInputError for a missing service or region */
  override create(ctx: RequestContext, dto: CreateEndpointDto): Promise<Endpoint> {
    return inTransaction(ctx, async (tx) => super.create(tx, await withRegion(tx, dto)));
  }

  /** @throws NotFoundError, and as `create` */
  override update(
    ctx: RequestContext,
    id: string,
    dto: Partial<CreateEndpointDto>,
  ): Promise<Endpoint> {
    return inTransaction(ctx, async (tx) => super.update(tx, id, await withRegion(tx, dto)));
  }
}

/** Reads `region`, the former name, where `region_id` is missing. */
async function withRegion<Dto extends Partial<CreateEndpointDto>>(
  tx: RequestContext,
  dto: Dto,
): Promise<Dto> {
  const { region_id: id, region } = dto;
  if (id != null || region === undefined) return dto;
  return { ...dto, region_id: region === null ? null : await ensureRegion(tx, region) };
}
