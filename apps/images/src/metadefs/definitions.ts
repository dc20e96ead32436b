/**
 * Common to objects, properties, tags and resource type associations: each has a name, unique per
 * kind and namespace, and is deleted with the namespace.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { attribute, type RowOf } from '@cumulet/common/resources/attribute';
import { text } from '@cumulet/common/resources/field-type';
import { equals, rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { ForeignKey, PrimaryColumn } from 'typeorm';
import { TIMES } from '../images/timestamp.js';
import {
  MAX_NAME_LENGTH,
  MetadefNamespace,
  NAME_LENGTH,
  type NamespaceId,
  namespaces,
  requireUnprotected,
  visibleNamespace,
} from './namespaces/namespace.resource.js';

export type NewDefinition<T extends Definition> = Omit<
  T,
  'namespaceId' | 'createdAt' | 'updatedAt'
>;

export type Definition = RowOf<ReturnType<typeof definition>> & { namespaceId: NamespaceId };

/** @param about describes the name */
export function definition(table: string, about = 'The name, unique in the namespace.') {
  return {
    ...TIMES,
    name: attribute(text({ max: MAX_NAME_LENGTH }), {
      about,
      required: true,
      schema: NAME_LENGTH,
      column: { primary: true, primaryKeyConstraintName: `${table}_pkey` },
    }),
  } as const;
}

export function inNamespace(table: string) {
  abstract class NamespaceColumn {
    @PrimaryColumn('uuid', { name: 'namespace_id', primaryKeyConstraintName: `${table}_pkey` })
    @ForeignKey(() => MetadefNamespace, {
      name: `${table}_namespace_id_fkey`,
      onDelete: 'CASCADE',
    })
    namespaceId: NamespaceId;
  }
  return NamespaceColumn;
}

/** Counts characters, not halves of surrogate pairs. */
export function hasNameLength(text: string): boolean {
  const { length } = Array.from(text);
  return length >= 1 && length <= MAX_NAME_LENGTH;
}

export const LONG_TEXT = { min: 0, max: 65_535 };

export const NAMESPACES_PATH = '/v2/metadefs/namespaces';

/**
 * Operations on definitions. Whoever sees the namespace sees them. Changes lock the namespace's
 * row, which serialises them and keeps additions out of a namespace that is being deleted.
 * @throws DomainError: `not-found` for an invisible namespace or a missing definition, `conflict`
 * for a name that is taken, `forbidden` for deletions in a protected namespace
 */
export class Definitions<T extends Definition> {
  readonly table: Table<T>;

  /** @param kind for messages: `object`, `resource type` */
  constructor(
    entity: new () => T,
    private readonly kind: string,
  ) {
    this.table = new Table(entity, {
      missing: (key) => new DomainError('bug', `${kind} ${String(rowOf(key).name)} is gone`),
      touched: 'updatedAt',
    });
  }

  /** Oldest first. */
  async list(ctx: RequestContext, namespace: string): Promise<T[]> {
    return this.listOf(ctx, await visibleNamespace(ctx, namespace));
  }

  listOf(ctx: RequestContext, { id }: MetadefNamespace): Promise<T[]> {
    return this.table.select(ctx, [equals('namespaceId', id)], 'ORDER BY created_at, name');
  }

  async show(ctx: RequestContext, namespace: string, name: string): Promise<T> {
    return this.find(ctx, await visibleNamespace(ctx, namespace), name);
  }

  create(ctx: RequestContext, namespace: string, given: NewDefinition<T>): Promise<T> {
    return inTransaction(ctx, async (tx) => {
      const [created] = await this.insert(tx, await namespaces.lock(tx, { namespace }), [given]);
      return created as T;
    });
  }

  replace(
    ctx: RequestContext,
    namespace: string,
    name: string,
    given: NewDefinition<T>,
  ): Promise<T> {
    return inTransaction(ctx, async (tx) => {
      const held = await namespaces.lock(tx, { namespace });
      await this.find(tx, held, name);
      const newName = nameOf(given);
      if (newName !== name && (await this.table.find(tx, keyOf<T>(held, newName))))
        throw this.#exists(newName, namespace);
      return this.table.update(tx, keyOf<T>(held, name), given as Partial<T>);
    });
  }

  remove(ctx: RequestContext, namespace: string, name: string): Promise<void> {
    return inTransaction(ctx, async (tx) => {
      const held = await namespaces.lock(tx, { namespace });
      await this.find(tx, held, name);
      requireUnprotected(held, `its ${this.kind} '${name}'`);
      await this.table.delete(tx, keyOf<T>(held, name));
    });
  }

  removeAll(ctx: RequestContext, namespace: string): Promise<void> {
    return inTransaction(ctx, async (tx) => {
      const held = await namespaces.lock(tx, { namespace });
      requireUnprotected(held, 'what it contains');
      await this.table.deleteAll(tx, [equals('namespaceId', held.id)]);
    });
  }

  /** Adds all or none; the error names the first duplicate. */
  async insert(
    tx: RequestContext,
    { id: namespaceId, namespace }: MetadefNamespace,
    given: readonly NewDefinition<T>[],
  ): Promise<T[]> {
    const rows = given.map((one) => ({ ...one, namespaceId }) as unknown as Partial<T>);
    const inserted = await this.table.insertAll(tx, rows, { exceptTaken: true });
    const left = new Set(inserted.map(({ name }) => name));
    const missing = given.map(nameOf).find((name) => !left.delete(name));
    if (missing !== undefined) throw this.#exists(missing, namespace);
    return inserted;
  }

  protected async find(ctx: RequestContext, namespace: MetadefNamespace, name: string): Promise<T> {
    const found = await this.table.find(ctx, keyOf<T>(namespace, name));
    if (found) return found;
    throw new DomainError(
      'not-found',
      `Namespace '${namespace.namespace}' has no ${this.kind} '${name}'.`,
    );
  }

  #exists(name: string, namespace: string): DomainError {
    return new DomainError(
      'conflict',
      `Namespace '${namespace}' already has the ${this.kind} '${name}'.`,
    );
  }
}

/** The compiler cannot tell that this is T's key. */
function keyOf<T extends Definition>({ id }: MetadefNamespace, name: string): Partial<T> {
  return { namespaceId: id, name } as Partial<T>;
}

/** `Omit` hides T's name from the compiler. */
function nameOf(definition: object): string {
  return (definition as { readonly name: string }).name;
}
