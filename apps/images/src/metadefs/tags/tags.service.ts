import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { Injectable } from '@nestjs/common';
import type { NewDefinition } from '../definition.js';
import { DefinitionsService } from '../definitions.service.js';
import { NamespaceLookup } from '../namespaces/namespace-lookup.js';
import type { MetadefTag } from './tag.entity.js';
import { limitOf, sortOf, sortValues, type ListMetadefTagsQuery } from './tag.query.js';
import { TagRepository } from './tag.repository.js';

@Injectable()
export class MetadefTagsService extends DefinitionsService<MetadefTag> {
  constructor(
    namespaces: NamespaceLookup,
    private readonly tags: TagRepository,
  ) {
    super('tag', namespaces, tags);
  }

  /** @throws NamespaceNotFoundError, or DefinitionNotFoundError for a marker that is no tag */
  async page(
    ctx: RequestContext,
    namespace: string,
    query: ListMetadefTagsQuery,
  ): Promise<MetadefTag[]> {
    const found = await this.namespaces.visible(ctx, namespace);
    const sort = sortOf(query);
    const after =
      query.marker === undefined
        ? undefined
        : sortValues(sort, await this.find(ctx, found, query.marker));
    return this.tags.page(ctx, found.id, { limit: limitOf(query), sort, after });
  }

  /**
   * Puts these in the place of all that there are, or beside them. As with Glance, none at all
   * replace nothing, and protection does not keep tags from being replaced.
   * @throws NamespaceNotFoundError or DefinitionExistsError
   */
  createMany(
    ctx: RequestContext,
    namespace: string,
    given: readonly NewDefinition<MetadefTag>[],
    append: boolean,
  ): Promise<MetadefTag[]> {
    return inTransaction(ctx, async (tx) => {
      const held = await this.namespaces.locked(tx, namespace);
      if (!append && given.length > 0) await this.tags.removeAll(tx, held.id);
      return this.insert(tx, held, given);
    });
  }
}
