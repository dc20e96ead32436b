import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { equals } from '@cumulet/common/tables/condition';
import { pageOfQuery } from '@cumulet/common/tables/page';
import { Entity } from 'typeorm';
import { definitionColumns, Definitions, type NewDefinition } from '../definitions.js';
import { namespaces, visibleNamespace } from '../namespaces/namespace.entity.js';

/** A word to find resources by. */
@Entity('metadef_tags')
export class MetadefTag extends definitionColumns('metadef_tags') {}

class Tags extends Definitions<MetadefTag> {
  /** @throws DomainError of kind `not-found` also for a marker that is not a tag */
  async page(
    ctx: RequestContext,
    namespace: string,
    query: { readonly marker?: string },
  ): Promise<readonly MetadefTag[]> {
    const found = await visibleNamespace(ctx, namespace);
    const { marker: name } = query;
    if (name !== undefined) await this.find(ctx, found, name);
    const { rows } = await this.table.list(ctx, {
      ...pageOfQuery(query),
      scope: [equals('namespaceId', found.id)],
      marker: name === undefined ? undefined : { namespaceId: found.id, name },
    });
    return rows;
  }

  /**
   * Replaces all existing tags by these, or adds them. As in Glance, an empty list replaces
   * nothing, and protection does not prevent replacing tags.
   */
  createMany(
    ctx: RequestContext,
    namespace: string,
    given: readonly NewDefinition<MetadefTag>[],
    append: boolean,
  ): Promise<MetadefTag[]> {
    return inTransaction(ctx, async (tx) => {
      const held = await namespaces.lock(tx, { namespace });
      if (!append && given.length > 0)
        await this.table.deleteAll(tx, [equals('namespaceId', held.id)]);
      return this.insert(tx, held, given);
    });
  }
}

export const metadefTags = new Tags(MetadefTag, 'tag');
