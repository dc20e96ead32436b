/** All SQL of the table `metadef_resource_types`. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { Injectable } from '@nestjs/common';
import { MetadefResourceType } from './resource-type.entity.js';

@Injectable()
export class ResourceTypeRepository {
  list(ctx: RequestContext): Promise<MetadefResourceType[]> {
    return selectRows(ctx.manager, MetadefResourceType, 'ORDER BY name');
  }

  /** Makes those that are not there, in one order, so that no two requests wait for each other. */
  async ensure(tx: RequestContext, names: readonly string[]): Promise<void> {
    await tx.manager.query(
      `INSERT INTO metadef_resource_types (name)
       SELECT DISTINCT name FROM unnest($1::text[]) AS given (name) ORDER BY name
       ON CONFLICT DO NOTHING`,
      [names],
    );
  }
}
