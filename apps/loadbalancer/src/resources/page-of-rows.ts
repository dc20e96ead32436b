/** A page of a table's rows, as a list's query asks for it. */
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { pageOf, type Query } from '@cumulet/common/resources/list-query';
import type { Resource } from '@cumulet/common/resources/resource';
import { shortened } from '@cumulet/common/resources/value-type';
import type { Condition } from '@cumulet/common/tables/condition';
import type { PageOfRows, Table } from '@cumulet/common/tables/table';
import { InvalidMarkerError } from './octavia.errors.js';

/** No row has it: what is not a UUID cannot be compared with one. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

interface Listed<Row extends { readonly id: string }> {
  readonly resource: Resource<object>;
  readonly table: Table<Row>;
  /** Whether a row may have it; UUIDs by default. */
  readonly isId?: (id: string) => boolean;
}

/**
 * @param scope the rows that the caller sees
 * @throws InvalidMarkerError
 */
export async function pageOfRows<Row extends { readonly id: string }>(
  ctx: RequestContext,
  { resource, table, isId = isUuid }: Listed<Row>,
  query: Query,
  scope: readonly Condition[],
): Promise<PageOfRows<Row>> {
  const page = pageOf<Row>(resource, query, ctx);
  const { marker } = page;
  if (typeof marker === 'string') {
    const isThere = isId(marker) && (await table.find(ctx, marker, scope));
    if (!isThere) throw new InvalidMarkerError(shortened(marker));
  }
  return table.list(ctx, { ...page, scope });
}
