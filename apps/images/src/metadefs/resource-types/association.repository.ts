import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { Injectable } from '@nestjs/common';
import { DefinitionRepository } from '../definition.repository.js';
import type { NamespaceId } from '../namespaces/namespace.entity.js';
import { MetadefAssociation } from './association.entity.js';

/** The table `metadef_associations`. */
@Injectable()
export class AssociationRepository extends DefinitionRepository<MetadefAssociation> {
  constructor() {
    super(MetadefAssociation);
  }

  /** Those of many namespaces, the oldest first. */
  listOf(ctx: RequestContext, namespaces: readonly NamespaceId[]): Promise<MetadefAssociation[]> {
    return selectRows(
      ctx.manager,
      MetadefAssociation,
      'WHERE namespace_id = ANY($1::uuid[]) ORDER BY created_at, name',
      [namespaces],
    );
  }
}
