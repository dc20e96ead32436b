/**
 * Stacks as requests read them: by the name and ID of the path, with template and outputs, and in
 * lists.
 * Deleted stacks are read from the archive as rows of `stacks`. The engine's statements are in
 * `stack-work.repository.ts`.
 */
import { mayActOn } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, shapeOf, type TableShape } from '@cumulet/common/database/rows';
import { rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { Injectable } from '@nestjs/common';
import { CURRENT_COLUMNS, type CurrentResource } from './stack-resource.repository.js';
import { Stack } from './stack.entity.js';
import { EntityNotFoundError, StackExistsError } from './stack.errors.js';

export const stackTable = new Table(Stack, {
  missing: (key) => new EntityNotFoundError('Stack', typeof key === 'string' ? key : ''),
  refusals: { stacks_name_key: ({ name = '' }) => new StackExistsError(name) },
});

/** @property summary of the template, sealed */
export type ShownStack = Stack & {
  readonly summary: string;
  readonly deletedAt?: Date;
};

/** A stack with the resources that its outputs refer to. */
export type StackOfOutputs = ShownStack & { readonly resources: readonly CurrentResource[] };

const RESOURCES = `
  (SELECT coalesce(json_agg(one), '[]')
     FROM (SELECT ${CURRENT_COLUMNS} FROM stack_resources
            WHERE stack_id = stacks.id AND name = ANY(template.output_resources)
              AND NOT obsolete) AS one) AS resources`;

export interface KnownStack extends Pick<
  Stack,
  'id' | 'name' | 'projectId' | 'rootId' | 'ownerId' | 'ownerResourceName'
> {
  readonly isDeleted: boolean;
}

const PRESENT = `
  SELECT id, name, project_id AS "projectId", root_id AS "rootId", owner_id AS "ownerId",
         owner_resource_name AS "ownerResourceName", false AS "isDeleted"
    FROM stacks`;

const DELETED = `
  SELECT id, name, project_id AS "projectId", root_id AS "rootId", owner_id AS "ownerId",
         stack ->> 'owner_resource_name' AS "ownerResourceName", true AS "isDeleted"
    FROM deleted_stacks`;

const BY_ID = `${PRESENT} WHERE id = $1`;
const BY_ID_EVEN_DELETED = `${BY_ID} UNION ALL ${DELETED} WHERE id = $1`;
// Names are unique among root stacks only.
const BY_NAME = `${PRESENT} WHERE project_id = $1 AND name = $2 AND owner_id IS NULL`;
const NESTED_BY_NAME = `${PRESENT} WHERE project_id = $1 AND name = $2 ORDER BY created_at LIMIT 1`;

@Injectable()
export class StackRepository {
  /** @throws EntityNotFoundError if it does not exist for the caller, or has another name */
  async find(ctx: RequestContext, name: string, id: string): Promise<ShownStack> {
    return visible(ctx, name, await this.#find(ctx, id));
  }

  /** Includes deleted stacks, as long as they are archived. @throws EntityNotFoundError */
  async findEvenDeleted(ctx: RequestContext, name: string, id: string): Promise<ShownStack> {
    return visible(ctx, name, (await this.#find(ctx, id)) ?? (await this.#findDeleted(ctx, id)));
  }

  /** A deleted stack has no resources. @throws EntityNotFoundError */
  async findWithOutputs(ctx: RequestContext, name: string, id: string): Promise<StackOfOutputs> {
    const stack = await this.#find<StackOfOutputs>(ctx, id, `, ${RESOURCES}`);
    if (stack) return visible(ctx, name, stack);
    return Object.assign(await this.findEvenDeleted(ctx, name, id), { resources: [] });
  }

  /** @throws EntityNotFoundError if it does not exist for the caller, or has another name */
  async locate(
    ctx: RequestContext,
    name: string,
    id: string,
    { evenDeleted = false } = {},
  ): Promise<KnownStack> {
    if (!isUuid(id)) throw new EntityNotFoundError('Stack', name);
    const sql = evenDeleted ? BY_ID_EVEN_DELETED : BY_ID;
    const [stack] = await preparedRows<KnownStack>(ctx.manager, sql, [id]);
    return visible(ctx, name, stack);
  }

  /** By ID, even if it is deleted, or else by name. @throws EntityNotFoundError */
  async identify(ctx: RequestContext, nameOrId: string): Promise<KnownStack> {
    const { manager } = ctx;
    if (isUuid(nameOrId)) {
      const [stack] = await preparedRows<KnownStack>(manager, BY_ID_EVEN_DELETED, [nameOrId]);
      if (stack && mayActOn(ctx, stack.projectId)) return stack;
    }
    for (const sql of [BY_NAME, NESTED_BY_NAME]) {
      const [stack] = await preparedRows<KnownStack>(manager, sql, [ctx.projectId, nameOrId]);
      if (stack) return stack;
    }
    throw new EntityNotFoundError('Stack', nameOrId);
  }

  /** @param more columns */
  async #find<Row extends ShownStack = ShownStack>(
    { manager }: RequestContext,
    id: string,
    more = '',
  ): Promise<Row | undefined> {
    if (!isUuid(id)) return undefined;
    const { columns } = shapeOf(manager, Stack);
    const sql = `
      SELECT ${columns}, template.summary${more} FROM stacks
        JOIN stack_templates AS template ON template.id = stacks.template_id
       WHERE stacks.id = $1`;
    return (await preparedRows<Row>(manager, sql, [id]))[0];
  }

  async #findDeleted({ manager }: RequestContext, id: string): Promise<ShownStack | undefined> {
    if (!isUuid(id)) return undefined;
    const { columns } = shapeOf(manager, Stack);
    const sql = `
      SELECT ${columns}, template.summary, gone.deleted_at AS "deletedAt"
        FROM deleted_stacks AS gone
       CROSS JOIN jsonb_populate_record(NULL::stacks, gone.stack) AS stacks
        JOIN stack_templates AS template ON template.id = stacks.template_id
       WHERE gone.id = $1`;
    return (await preparedRows<ShownStack>(manager, sql, [id]))[0];
  }
}

/** Hides stacks of other projects. @throws EntityNotFoundError */
function visible<T extends Pick<Stack, 'name' | 'projectId'>>(
  ctx: RequestContext,
  name: string,
  stack: T | undefined,
): T {
  if (stack?.name === name && mayActOn(ctx, stack.projectId)) return stack;
  throw new EntityNotFoundError('Stack', name);
}

/** `$1` and its nested stacks, `$2` levels deep. */
export const STACK_TREE = `
  tree AS (
    SELECT id, name, project_id, owner_resource_name, 0 AS depth FROM stacks WHERE id = $1
    UNION ALL
    SELECT below.id, below.name, below.project_id, below.owner_resource_name, tree.depth + 1
      FROM stacks AS below JOIN tree ON below.owner_id = tree.id WHERE tree.depth < $2
  )`;

/** `$1` and its nested stacks with deleted ones, so many levels deep; `$2` is its root. */
export const STACK_TREE_EVEN_DELETED = `
  WITH RECURSIVE known AS (
    SELECT id, name, owner_id FROM stacks WHERE root_id = $2
    UNION ALL
    SELECT id, name, owner_id FROM deleted_stacks WHERE root_id = $2
  ), tree AS (
    SELECT id, name, 0 AS depth FROM known WHERE id = $1
    UNION ALL
    SELECT known.id, known.name, tree.depth + 1
      FROM known JOIN tree ON known.owner_id = tree.id WHERE tree.depth < $3
  )`;

export type ListedStack = Pick<Stack, (typeof LISTED)[number]> & {
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

/** Columns that only filters read. */
const FILTERED = ['disableRollback', 'timeoutMinutes'] as const;

/** Indexed columns of the archive. */
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
