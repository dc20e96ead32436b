import { Column, PrimaryColumn, type EntityTarget } from 'typeorm';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { DomainError } from '@cumulet/common/errors/domain-error';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import { Table, type TableOptions } from '@cumulet/common/tables/table';

/** The row of any resource, as far as the kit reads it. */
export interface ResourceRow {
  readonly id: string;
  readonly projectId: ProjectId;
  readonly revisionNumber: number;
  readonly tags: string[];
}

/**
 * The columns of every resource, on top of those of `base`: an entity extends one class alone, and
 * those with a state have its columns, too.
 */
function standardColumns(base: abstract new () => object) {
  abstract class StandardColumns extends base implements ResourceRow {
    @PrimaryColumn('uuid')
    id: string;

    @Column('text', { name: 'project_id' })
    projectId: ProjectId;

    @Column('text', { default: '' })
    name: string;

    @Column('text', { default: '' })
    description: string;

    // Lists page by these times: they are as precise as a Date, or a marker would miss its row.
    @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
    createdAt: Date;

    @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
    updatedAt: Date;

    @Column('integer', { name: 'revision_number', default: 0 })
    revisionNumber: number;

    @Column('text', { array: true, default: () => `'{}'` })
    tags: string[];
  }
  return StandardColumns;
}

export abstract class ResourceColumns extends standardColumns(Object) {}

type Both = abstract new () => ResourceColumns & StatefulColumns;

export abstract class StatefulResourceColumns extends (standardColumns(
  StatefulColumns,
) as unknown as Both) {}

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
