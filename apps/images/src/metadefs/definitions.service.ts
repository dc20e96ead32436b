/**
 * What can be done with definitions of any kind. Whoever sees the namespace sees them; changes hold
 * the namespace's row, so that they come one after the other, and none comes to a namespace that is
 * being deleted.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { Definition, DefinitionKind, NewDefinition } from './definition.js';
import { DefinitionExistsError, DefinitionNotFoundError } from './definition.errors.js';
import type { DefinitionRepository } from './definition.repository.js';
import { requireUnprotected, type NamespaceLookup } from './namespaces/namespace-lookup.js';
import type { MetadefNamespace } from './namespaces/namespace.entity.js';

export abstract class DefinitionsService<T extends Definition> {
  protected constructor(
    private readonly kind: DefinitionKind,
    protected readonly namespaces: NamespaceLookup,
    private readonly definitions: DefinitionRepository<T>,
  ) {}

  /** @throws NamespaceNotFoundError */
  async list(ctx: RequestContext, namespace: string): Promise<T[]> {
    return this.listOf(ctx, await this.namespaces.visible(ctx, namespace));
  }

  listOf(ctx: RequestContext, { id }: MetadefNamespace): Promise<T[]> {
    return this.definitions.list(ctx, id);
  }

  /** @throws NamespaceNotFoundError or DefinitionNotFoundError */
  async show(ctx: RequestContext, namespace: string, name: string): Promise<T> {
    return this.find(ctx, await this.namespaces.visible(ctx, namespace), name);
  }

  /** @throws NamespaceNotFoundError or DefinitionExistsError */
  create(ctx: RequestContext, namespace: string, given: NewDefinition<T>): Promise<T> {
    return inTransaction(ctx, async (tx) => {
      const [created] = await this.insert(tx, await this.namespaces.locked(tx, namespace), [given]);
      return created as T;
    });
  }

  /**
   * Puts something else in its place.
   * @throws NamespaceNotFoundError, DefinitionNotFoundError or DefinitionExistsError
   */
  replace(
    ctx: RequestContext,
    namespace: string,
    name: string,
    given: NewDefinition<T>,
  ): Promise<T> {
    return inTransaction(ctx, async (tx) => {
      const { id } = await this.namespaces.locked(tx, namespace);
      const replaced = await this.definitions.replace(tx, id, name, given);
      if (replaced === undefined) throw this.#notFound(namespace, name);
      if (replaced === 'taken') throw this.#exists(namespace, nameOf(given));
      return replaced;
    });
  }

  /** @throws NamespaceNotFoundError, DefinitionNotFoundError or NamespaceProtectedError */
  remove(ctx: RequestContext, namespace: string, name: string): Promise<void> {
    return inTransaction(ctx, async (tx) => {
      const held = await this.namespaces.locked(tx, namespace);
      await this.find(tx, held, name);
      requireUnprotected(held, `its ${this.kind} '${name}'`);
      await this.definitions.remove(tx, held.id, name);
    });
  }

  /** @throws NamespaceNotFoundError or NamespaceProtectedError */
  removeAll(ctx: RequestContext, namespace: string): Promise<void> {
    return inTransaction(ctx, async (tx) => {
      const held = await this.namespaces.locked(tx, namespace);
      requireUnprotected(held, 'what it contains');
      await this.definitions.removeAll(tx, held.id);
    });
  }

  /** Adds all or none. @throws DefinitionExistsError naming the first that is one too many */
  async insert(
    tx: RequestContext,
    { id, namespace }: MetadefNamespace,
    given: readonly NewDefinition<T>[],
  ): Promise<T[]> {
    if (given.length === 0) return [];
    const inserted = await this.definitions.insert(tx, id, given);
    const missing = firstMissing(given.map(nameOf), inserted.map(nameOf));
    if (missing !== undefined) throw this.#exists(namespace, missing);
    return inserted;
  }

  /** @throws DefinitionNotFoundError */
  protected async find(
    ctx: RequestContext,
    { id, namespace }: MetadefNamespace,
    name: string,
  ): Promise<T> {
    const found = await this.definitions.find(ctx, id, name);
    if (!found) throw this.#notFound(namespace, name);
    return found;
  }

  #notFound(namespace: string, name: string): DefinitionNotFoundError {
    return new DefinitionNotFoundError(this.kind, name, namespace);
  }

  #exists(namespace: string, name: string): DefinitionExistsError {
    return new DefinitionExistsError(this.kind, name, namespace);
  }
}

/** Omit hides from the compiler that whatever T is, it has a name. */
function nameOf(definition: object): string {
  return (definition as { readonly name: string }).name;
}

/** A name that is given more often than it is found. */
function firstMissing(given: readonly string[], found: readonly string[]): string | undefined {
  const left = new Set(found);
  return given.find((name) => !left.delete(name));
}
