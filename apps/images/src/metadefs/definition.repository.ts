/**
 * SQL that the tables of definitions have in common: all have the key (namespace_id, name), and
 * times that the database writes. Rows go in as one JSON document, however many they are.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows, shapeOf } from '@cumulet/common/database/rows';
import { violatesUnique } from '@cumulet/common/database/violations';
import type { Definition, NewDefinition } from './definition.js';
import type { NamespaceId } from './namespaces/namespace.entity.js';

/** Columns that no client says anything of. */
const OWN = ['namespaceId', 'createdAt', 'updatedAt'];

interface ClientColumn {
  readonly propertyName: string;
  readonly databaseName: string;
}

export abstract class DefinitionRepository<T extends Definition> {
  protected constructor(protected readonly entity: new () => T) {}

  find(ctx: RequestContext, namespaceId: NamespaceId, name: string): Promise<T | undefined> {
    return selectRow(ctx.manager, this.entity, 'WHERE namespace_id = $1 AND name = $2', [
      namespaceId,
      name,
    ]);
  }

  /** The oldest first. */
  list(ctx: RequestContext, namespaceId: NamespaceId): Promise<T[]> {
    return selectRows(
      ctx.manager,
      this.entity,
      'WHERE namespace_id = $1 ORDER BY created_at, name',
      [namespaceId],
    );
  }

  /** @returns those that are new: without what has a name that is taken, by another of them too */
  insert(
    tx: RequestContext,
    namespaceId: NamespaceId,
    given: readonly NewDefinition<T>[],
  ): Promise<T[]> {
    const { table, columns } = shapeOf(tx.manager, this.entity);
    const written = this.#written(tx);
    return tx.manager.query(
      `INSERT INTO ${table} (namespace_id, ${namesOf(written)})
       SELECT $1, ${namesOf(written)} FROM jsonb_populate_recordset(NULL::${table}, $2::jsonb)
       ON CONFLICT DO NOTHING RETURNING ${columns}`,
      [namespaceId, JSON.stringify(given.map((one) => rowOf(one, written)))],
    );
  }

  /**
   * @returns the definition as it is now, undefined where there is none, or `taken` where another
   * has the new name
   */
  async replace(
    tx: RequestContext,
    namespaceId: NamespaceId,
    name: string,
    given: NewDefinition<T>,
  ): Promise<T | undefined | 'taken'> {
    const { table, columns } = shapeOf(tx.manager, this.entity);
    const written = this.#written(tx);
    try {
      const [rows]: [T[], number] = await tx.manager.query(
        `UPDATE ${table}
            SET (${namesOf(written)}) =
                (SELECT ${namesOf(written)} FROM jsonb_populate_record(NULL::${table}, $3::jsonb)),
                updated_at = now()
          WHERE namespace_id = $1 AND name = $2 RETURNING ${columns}`,
        [namespaceId, name, JSON.stringify(rowOf(given, written))],
      );
      return rows[0];
    } catch (error) {
      if (violatesUnique(error, `${table.replaceAll('"', '')}_pkey`)) return 'taken';
      throw error;
    }
  }

  async remove(tx: RequestContext, namespaceId: NamespaceId, name: string): Promise<void> {
    const { table } = shapeOf(tx.manager, this.entity);
    await tx.manager.query(`DELETE FROM ${table} WHERE namespace_id = $1 AND name = $2`, [
      namespaceId,
      name,
    ]);
  }

  async removeAll(tx: RequestContext, namespaceId: NamespaceId): Promise<void> {
    const { table } = shapeOf(tx.manager, this.entity);
    await tx.manager.query(`DELETE FROM ${table} WHERE namespace_id = $1`, [namespaceId]);
  }

  #written({ manager }: RequestContext): ClientColumn[] {
    const { columns } = manager.dataSource.getMetadata(this.entity);
    return columns.filter(({ propertyName }) => !OWN.includes(propertyName));
  }
}

function namesOf(columns: readonly ClientColumn[]): string {
  return columns.map(({ databaseName }) => `"${databaseName}"`).join(', ');
}

function rowOf(given: object, columns: readonly ClientColumn[]): Record<string, unknown> {
  const values = given as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    columns.map(({ propertyName, databaseName }) => [databaseName, values[propertyName]]),
  );
}
