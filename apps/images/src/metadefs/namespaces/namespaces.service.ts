import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { Injectable } from '@nestjs/common';
import { AssociationRepository } from '../resource-types/association.repository.js';
import { NamespaceContents, type Contents, type NewContents } from './namespace-contents.js';
import { NamespaceLookup, requireUnprotected } from './namespace-lookup.js';
import type { MetadefNamespace } from './namespace.entity.js';
import {
  filterOf,
  limitOf,
  sortOf,
  sortValues,
  type ListNamespacesQuery,
} from './namespace.query.js';
import { NamespaceRepository, type NamespaceValues } from './namespace.repository.js';
import type { NamespacePage } from './namespace.view.js';
import { prefixedContents } from './prefixed-contents.js';

/** A namespace with all that stands in it. */
export interface FullNamespace {
  readonly namespace: MetadefNamespace;
  readonly contents: Contents;
}

@Injectable()
export class NamespacesService {
  constructor(
    private readonly namespaces: NamespaceRepository,
    private readonly lookup: NamespaceLookup,
    private readonly contents: NamespaceContents,
    private readonly associations: AssociationRepository,
  ) {}

  /** With its contents, or not at all. @throws NamespaceExistsError or DefinitionExistsError */
  create(ctx: RequestContext, values: NamespaceValues, given: NewContents): Promise<FullNamespace> {
    return inTransaction(ctx, async (tx) => {
      const namespace = await this.namespaces.insert(tx, values);
      return { namespace, contents: await this.contents.insert(tx, namespace, given) };
    });
  }

  /**
   * @param resourceType whose prefix the names of properties get
   * @throws NamespaceNotFoundError
   */
  async show(ctx: RequestContext, name: string, resourceType?: string): Promise<FullNamespace> {
    const namespace = await this.lookup.visible(ctx, name);
    const contents = await this.contents.read(ctx, namespace);
    return { namespace, contents: prefixedContents(contents, resourceType) };
  }

  /** @throws NamespaceNotFoundError for a marker that is none the caller sees */
  async list(ctx: RequestContext, query: ListNamespacesQuery): Promise<NamespacePage> {
    const [limit, sort] = [limitOf(query), sortOf(query)];
    const after =
      query.marker === undefined
        ? undefined
        : sortValues(sort, await this.lookup.visible(ctx, query.marker));
    // One row more than is shown tells whether there is a next page.
    const page = { limit: limit + 1, sort, after };
    const rows = await this.namespaces.list(ctx, filterOf(query), page);
    const namespaces = rows.slice(0, limit);
    return {
      namespaces,
      associations: await this.associations.listOf(
        ctx,
        namespaces.map(({ id }) => id),
      ),
      nextMarker: rows.length > limit ? namespaces.at(-1)?.namespace : undefined,
    };
  }

  /** Leaves its contents alone. @throws NamespaceNotFoundError or NamespaceExistsError */
  replace(ctx: RequestContext, name: string, values: NamespaceValues): Promise<MetadefNamespace> {
    return inTransaction(ctx, async (tx) => {
      const { id } = await this.lookup.locked(tx, name);
      return this.namespaces.update(tx, id, values);
    });
  }

  /** With its contents. @throws NamespaceNotFoundError or NamespaceProtectedError */
  delete(ctx: RequestContext, name: string): Promise<void> {
    return inTransaction(ctx, async (tx) => {
      const namespace = await this.lookup.locked(tx, name);
      requireUnprotected(namespace);
      await this.namespaces.remove(tx, namespace.id);
    });
  }
}
