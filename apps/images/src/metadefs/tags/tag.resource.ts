/** Public source: Image API reference, "Metadata definition tags". */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { ListField } from '@cumulet/common/http/fields';
import { allUnder } from '@cumulet/common/http/answers';
import { Shown, viewOf } from '@cumulet/common/http/shown';
import {
  answerOf,
  bodyOf,
  columnsGiven,
  pick,
  rowOf,
  sortKeysOf,
} from '@cumulet/common/resources/classes';
import { equals } from '@cumulet/common/tables/condition';
import { pageOfQuery } from '@cumulet/common/tables/page';
import { Entity } from 'typeorm';
import { pageQuery } from '../../images/page-query.js';
import { timestamp } from '../../images/timestamp.js';
import {
  definition,
  Definitions,
  hasNameLength,
  inNamespace,
  type NewDefinition,
} from '../definitions.js';
import { MAX_NAME_LENGTH, namespaces, visibleNamespace } from '../namespaces/namespace.resource.js';

const TAG = definition('metadef_tags');

@Entity('metadef_tags')
export class MetadefTag extends rowOf(TAG, inNamespace('metadef_tags')) {}

export class MetadefTagDto extends bodyOf(TAG) {}

export class NewMetadefTagsDto {
  @ListField(() => MetadefTagDto)
  tags: MetadefTagDto[];
}

/** The list is complete by default. */
export class ListMetadefTagsQuery extends pageQuery(sortKeysOf(TAG)) {}

export class MetadefTagView extends answerOf(TAG) {}

export class MetadefTagName extends answerOf(pick(TAG, ['name']), {
  name: Shown(String, 'The name, unique in the namespace.'),
}) {}

export const MetadefTagList = allUnder('tags', MetadefTagName);

export const tagView = viewOf<MetadefTag, MetadefTagView>(MetadefTagView, timestamp);
export const tagName = viewOf<MetadefTag, MetadefTagName>(MetadefTagName);

export function tagOf(dto: MetadefTagDto): NewDefinition<MetadefTag> {
  return columnsGiven(TAG, dto);
}

/** @param name from the path @throws InvalidInputError */
export function tagNamed(name: string): NewDefinition<MetadefTag> {
  if (hasNameLength(name)) return { name };
  throw new InvalidInputError(
    `Invalid input: the name of a tag must have 1 to ${MAX_NAME_LENGTH} characters.`,
  );
}

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
   * Replaces all tags, or adds to them. As in Glance, an empty list replaces nothing, and
   * protection does not prevent replacing tags.
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
