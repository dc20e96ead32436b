import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { ListFlavorsQuery } from './flavor.dto.js';
import type { Flavor } from './flavor.entity.js';
import { FlavorNotFoundError } from './flavor.errors.js';
import { FLAVOR_SORT_COLUMNS, FlavorRepository } from './flavor.repository.js';

/** Rows on a page at the most, and where a client asks for none (Nova's `max_limit`). */
const PAGE = 1000;

@Injectable()
export class FlavorsService {
  constructor(private readonly flavors: FlavorRepository) {}

  /** @throws FlavorNotFoundError */
  async get(ctx: RequestContext, id: string): Promise<Flavor> {
    const flavor = await this.flavors.find(ctx, id);
    if (!flavor) throw new FlavorNotFoundError(id);
    return flavor;
  }

  /** @throws InvalidInputError when no flavor is the marker */
  async list(
    ctx: RequestContext,
    query: ListFlavorsQuery,
  ): Promise<{ rows: Flavor[]; more: boolean }> {
    const limit = query.limit ?? PAGE;
    const marker =
      query.marker === undefined ? undefined : await this.flavors.find(ctx, query.marker);
    if (query.marker !== undefined && !marker) {
      throw new InvalidInputError(`Invalid input: marker '${query.marker}' is not a flavor.`);
    }
    const rows = await this.flavors.list(ctx, {
      minDiskGb: query.minDisk ?? 0,
      minMemoryMb: query.minRam ?? 0,
      limit: limit + 1,
      sort: {
        column: FLAVOR_SORT_COLUMNS[query.sort_key ?? 'flavorid'] ?? 'id',
        direction: query.sort_dir ?? 'asc',
      },
      marker,
    });
    return { rows: rows.slice(0, limit), more: rows.length > limit };
  }
}
