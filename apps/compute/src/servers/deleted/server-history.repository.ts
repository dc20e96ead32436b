/**
 * Servers together with deleted ones, for lists of both. An archived row becomes a row of servers
 * again, so filters, orders and pages are the same; lists without deleted servers never come here.
 */
import { Injectable } from '@nestjs/common';
import type { EntityMetadata } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { TableShape } from '@cumulet/common/database/rows';
import type { Condition } from '@cumulet/common/tables/condition';
import { ServerRepository } from '../server.repository.js';

/** Columns of the archive's own, which its indexes serve. */
const OWN_COLUMNS: readonly string[] = ['id', 'project_id', 'created_at', 'launched_at'];

export const isDeleted: Condition = () => 'deleted_at IS NOT NULL';

export const isPresent: Condition = () => 'deleted_at IS NULL';

const shapes = new WeakMap<object, TableShape>();

@Injectable()
export class ServerHistoryRepository extends ServerRepository {
  protected override shape(ctx: RequestContext): TableShape {
    const { dataSource } = ctx.manager;
    const known = shapes.get(dataSource) ?? historyOf(super.shape(ctx), this.#metadata(ctx));
    shapes.set(dataSource, known);
    return known;
  }

  #metadata({ manager }: RequestContext): EntityMetadata {
    return manager.dataSource.getMetadata(this.entity);
  }
}

function historyOf(servers: TableShape, metadata: EntityMetadata): TableShape {
  const columns = metadata.columns.filter((column) => !column.isVirtualProperty);
  const names = columns.map(({ databaseName }) => `"${databaseName}"`);
  const archived = columns.map((column) => archivedColumn(column));
  return {
    ...servers,
    table: `(
      SELECT ${names.join(', ')}, NULL::timestamptz AS deleted_at FROM servers
      UNION ALL
      SELECT ${archived.join(', ')}, deleted_servers.deleted_at
        FROM deleted_servers, jsonb_populate_record(NULL::servers, deleted_servers.server) AS archived
    ) AS servers`,
    columns: `${servers.columns}, servers.deleted_at AS "deletedAt"`,
  };
}

/** A column that is newer than the archived row has its default. */
function archivedColumn(column: EntityMetadata['columns'][number]): string {
  const { databaseName: name, isNullable } = column;
  if (OWN_COLUMNS.includes(name)) return `deleted_servers."${name}"`;
  if (name === 'state_since') return 'deleted_servers.deleted_at';
  const fallback = isNullable ? undefined : defaultOf(column);
  return fallback === undefined
    ? `archived."${name}"`
    : `coalesce(archived."${name}", ${fallback})`;
}

function defaultOf({ default: value }: EntityMetadata['columns'][number]): string | undefined {
  if (typeof value === 'function') return String((value as () => unknown)());
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
