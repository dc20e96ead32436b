import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { pageClause, type PageRequest } from '@cumulet/common/http/paging';
import { Injectable } from '@nestjs/common';
import { DefinitionRepository } from '../definition.repository.js';
import type { NamespaceId } from '../namespaces/namespace.entity.js';
import { MetadefTag } from './tag.entity.js';

/** The table `metadef_tags`. */
@Injectable()
export class TagRepository extends DefinitionRepository<MetadefTag> {
  constructor() {
    super(MetadefTag);
  }

  /** In the order of the sort keys, after the marker where there is one. */
  page(ctx: RequestContext, namespaceId: NamespaceId, page: PageRequest): Promise<MetadefTag[]> {
    const { condition, order, params } = pageClause(page, 2);
    return selectRows(
      ctx.manager,
      MetadefTag,
      `WHERE namespace_id = $1 AND ${condition} ${order}`,
      [namespaceId, ...params],
    );
  }
}
