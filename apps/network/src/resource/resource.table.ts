import type { EntityTarget } from 'typeorm';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { DomainError } from '@cumulet/common/errors/domain-error';
import type { Condition } from '@cumulet/common/tables/condition';
import { Table, type TableOptions } from '@cumulet/common/tables/table';

export interface ResourceRow {
  readonly id: string;
  readonly projectId: ProjectId;
  readonly revisionNumber: number;
  readonly tags: string[];
}

/** The row is not being removed. */
export const isPresent: Condition = (_, column) => `${column('state')} <> 'removing'`;

/** @param missing the error for an unknown ID @param refusals errors by violated constraint */
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
