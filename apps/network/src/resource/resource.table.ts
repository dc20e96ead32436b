import type { EntityTarget } from 'typeorm';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { DomainError } from '@cumulet/common/errors/domain-error';
import { Table, type TableOptions } from '@cumulet/common/tables/table';

/** The row of any resource, as far as the kit reads it. */
export interface ResourceRow {
  readonly id: string;
  readonly projectId: ProjectId;
  readonly revisionNumber: number;
  readonly tags: string[];
}

/**
 * The table of a resource.
 * @param missing for a row that is not there, by its id
 * @param refusals what a refused write means, by the constraint's name
 */
export function resourceTable<Row extends ResourceRow & { readonly updatedAt: Date }>(
  entity: EntityTarget<Row>,
  missing: new (id: unknown) => DomainError,
  refusals: TableOptions<Row>['refusals'] = {},
): Table<Row> {
  return new Table<Row>(entity, {
    missing: (key) => new missing(typeof key === 'string' ? key : key.id),
    touched: 'updatedAt',
    refusals,
  });
}
