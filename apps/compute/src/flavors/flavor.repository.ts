import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { pageClause, type SortDirection } from '@cumulet/common/http/paging';
import { Flavor } from './flavor.entity.js';

export interface FlavorFilter {
  readonly minDiskGb: number;
  readonly minMemoryMb: number;
  readonly limit: number;
  readonly sort: { readonly column: string; readonly direction: SortDirection };
  readonly marker: Flavor | undefined;
}

/** Wire names of sort keys, and the columns they sort by (Nova API reference, "List Flavors"). */
export const FLAVOR_SORT_COLUMNS: Readonly<Record<string, keyof Flavor>> = {
  flavorid: 'id',
  id: 'id',
  name: 'name',
  vcpus: 'vcpus',
  memory_mb: 'memoryMb',
  root_gb: 'diskGb',
};

const SQL_COLUMNS: Readonly<Partial<Record<keyof Flavor, string>>> = {
  id: 'id',
  name: 'name',
  vcpus: 'vcpus',
  memoryMb: 'memory_mb',
  diskGb: 'disk_gb',
};

@Injectable()
export class FlavorRepository {
  find(ctx: RequestContext, id: string): Promise<Flavor | undefined> {
    return selectRow(ctx.manager, Flavor, 'WHERE id = $1', [id]);
  }

  list(ctx: RequestContext, filter: FlavorFilter): Promise<Flavor[]> {
    const { minDiskGb, minMemoryMb, limit, sort, marker } = filter;
    const key = sort.column as keyof Flavor;
    const keys = [
      { column: SQL_COLUMNS[key] ?? 'id', direction: sort.direction },
      ...(key === 'id' ? [] : [{ column: 'id', direction: sort.direction }]),
    ];
    const after = marker && (key === 'id' ? [marker.id] : [marker[key], marker.id]);
    const page = pageClause({ limit, sort: keys, after }, 3);
    return selectRows(
      ctx.manager,
      Flavor,
      `WHERE is_public AND disk_gb >= $1 AND memory_mb >= $2 AND ${page.condition} ${page.order}`,
      [minDiskGb, minMemoryMb, ...page.params],
    );
  }
}
