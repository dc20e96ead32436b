/**
 * All SQL of the table `metadef_namespaces`.
 *
 * Always holds: nothing in here finds a namespace that the caller may not see. Everybody sees what
 * is public and what their own project has, administrators see all. Public source: Glance policies,
 * `get_metadef_namespace`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows, shapeOf } from '@cumulet/common/database/rows';
import { violatesUnique } from '@cumulet/common/database/violations';
import { pageClause, type PageRequest } from '@cumulet/common/http/paging';
import { Injectable } from '@nestjs/common';
import {
  MetadefNamespace,
  type NamespaceId,
  type NamespaceVisibility,
} from './namespace.entity.js';
import { NamespaceExistsError } from './namespace.errors.js';

/** What a client says of a namespace. */
export type NamespaceValues = Omit<MetadefNamespace, 'id' | 'createdAt' | 'updatedAt'>;

export interface NamespaceFilter {
  readonly visibility?: NamespaceVisibility | undefined;
  /** Those that are associated with any of these. */
  readonly resourceTypes?: readonly string[] | undefined;
}

/** Its parameter is the project of a caller who does not see everything. */
const VISIBLE = `($1::text IS NULL OR visibility = 'public' OR owner = $1)`;

@Injectable()
export class NamespaceRepository {
  find(ctx: RequestContext, namespace: string): Promise<MetadefNamespace | undefined> {
    return selectRow(ctx.manager, MetadefNamespace, `WHERE ${VISIBLE} AND namespace = $2`, [
      viewer(ctx),
      namespace,
    ]);
  }

  /** Until the transaction ends, nobody else changes or deletes it. */
  findLocked(tx: RequestContext, namespace: string): Promise<MetadefNamespace | undefined> {
    return selectRow(
      tx.manager,
      MetadefNamespace,
      `WHERE ${VISIBLE} AND namespace = $2 FOR UPDATE`,
      [viewer(tx), namespace],
    );
  }

  /** In the order of the sort keys, after the marker where there is one. */
  list(
    ctx: RequestContext,
    { visibility, resourceTypes }: NamespaceFilter,
    page: PageRequest,
  ): Promise<MetadefNamespace[]> {
    const { condition, order, params } = pageClause(page, 4);
    return selectRows(
      ctx.manager,
      MetadefNamespace,
      `WHERE ${VISIBLE} AND ($2::text IS NULL OR visibility = $2)
         AND ($3::text[] IS NULL
              OR id IN (SELECT namespace_id FROM metadef_associations WHERE name = ANY($3)))
         AND ${condition} ${order}`,
      [viewer(ctx), visibility ?? null, resourceTypes ?? null, ...params],
    );
  }

  /** @throws NamespaceExistsError */
  async insert(tx: RequestContext, values: NamespaceValues): Promise<MetadefNamespace> {
    const { columns } = shapeOf(tx.manager, MetadefNamespace);
    const rows: [MetadefNamespace] = await refusingDuplicates(
      values.namespace,
      tx.manager.query(
        `INSERT INTO metadef_namespaces
           (id, namespace, display_name, description, visibility, protected, owner)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6) RETURNING ${columns}`,
        parameters(values),
      ),
    );
    return rows[0];
  }

  /** @throws NamespaceExistsError */
  async update(
    tx: RequestContext,
    id: NamespaceId,
    values: NamespaceValues,
  ): Promise<MetadefNamespace> {
    const { columns } = shapeOf(tx.manager, MetadefNamespace);
    const [rows]: [[MetadefNamespace], number] = await refusingDuplicates(
      values.namespace,
      tx.manager.query(
        `UPDATE metadef_namespaces
            SET namespace = $1, display_name = $2, description = $3, visibility = $4,
                protected = $5, owner = $6, updated_at = now()
          WHERE id = $7 RETURNING ${columns}`,
        [...parameters(values), id],
      ),
    );
    return rows[0];
  }

  /** With all that it contains. */
  async remove(tx: RequestContext, id: NamespaceId): Promise<void> {
    await tx.manager.query('DELETE FROM metadef_namespaces WHERE id = $1', [id]);
  }
}

function viewer(ctx: RequestContext): string | null {
  return ctx.isAdmin ? null : ctx.projectId;
}

function parameters(values: NamespaceValues): unknown[] {
  const { namespace, displayName, description, visibility, owner } = values;
  return [namespace, displayName, description, visibility, values.protected, owner];
}

async function refusingDuplicates<T>(namespace: string, statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw violatesUnique(error, 'metadef_namespaces_namespace')
      ? new NamespaceExistsError(namespace)
      : error;
  }
}
