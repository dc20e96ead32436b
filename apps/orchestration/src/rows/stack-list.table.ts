/**
 * Stacks as lists read them: without what is sealed, and where it is asked for with those that were
 * deleted. An archived row becomes a row of stacks again, so filters, orders and pages are the same.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { TableShape } from '@cumulet/common/database/rows';
import { rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { Stack } from './stack.entity.js';
import { EntityNotFoundError } from './stack.errors.js';

/** What a list shows of a stack. */
export type ListedStack = Pick<Stack, (typeof LISTED)[number]> & {
  /** Of one that was deleted. */
  readonly deletedAt?: Date | null;
};

const LISTED = [
  'id',
  'projectId',
  'userName',
  'name',
  'description',
  'action',
  'state',
  'stateReason',
  'tags',
  'ownerId',
  'createdAt',
  'updatedAt',
] as const;

/** What filters read besides. */
const FILTERED = ['disableRollback', 'timeoutMinutes'] as const;

/** What the archive has as columns of its own, which its indexes serve. */
const ARCHIVED: readonly string[] = ['id', 'projectId', 'name', 'ownerId', 'createdAt'];

const shapes = new WeakMap<Table<Stack>, WeakMap<object, TableShape>>();

class ListedStacks extends Table<Stack> {
  constructor(private readonly narrow: (shape: TableShape) => TableShape) {
    super(Stack, { missing: (key) => new EntityNotFoundError('Stack', rowOf(key).id ?? '') });
  }

  protected override shape(ctx: RequestContext): TableShape {
    const { dataSource } = ctx.manager;
    const known = shapes.get(this) ?? new WeakMap<object, TableShape>();
    shapes.set(this, known);
    const shape = known.get(dataSource) ?? this.narrow(super.shape(ctx));
    known.set(dataSource, shape);
    return shape;
  }
}

export const presentStacks = new ListedStacks((shape) => ({ ...shape, columns: columnsOf(shape) }));

export const allStacks = new ListedStacks((shape) => {
  const names = [...LISTED, ...FILTERED].map(shape.columnOf).join(', ');
  const archived = [...LISTED, ...FILTERED].map(
    (one) => `${ARCHIVED.includes(one) ? 'deleted_stacks' : 'archived'}.${shape.columnOf(one)}`,
  );
  return {
    ...shape,
    columns: `${columnsOf(shape)}, "stacks"."deleted_at" AS "deletedAt"`,
    table: `(
      SELECT ${names}, NULL::timestamptz AS deleted_at FROM stacks
      UNION ALL
      SELECT ${archived.join(', ')}, deleted_stacks.deleted_at
        FROM deleted_stacks, jsonb_populate_record(NULL::stacks, deleted_stacks.stack) AS archived
    ) AS stacks`,
  };
});

function columnsOf({ columnOf }: TableShape): string {
  return LISTED.map((one) => `"stacks".${columnOf(one)} AS "${one}"`).join(', ');
}
