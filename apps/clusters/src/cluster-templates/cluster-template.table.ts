import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals, rowOf, type Condition } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { ClusterTemplate } from './cluster-template.entity.js';
import {
  AmbiguousClusterTemplateError,
  ClusterTemplateNotFoundError,
  ClusterTemplateReferencedError,
} from './cluster-template.errors.js';

class ClusterTemplates extends Table<ClusterTemplate> {
  /**
   * One that the caller sees: of its project, or public.
   * @throws ClusterTemplateNotFoundError, AmbiguousClusterTemplateError
   */
  async named(ctx: RequestContext, ident: string): Promise<ClusterTemplate> {
    const by = equals(isUuid(ident) ? 'id' : 'name', ident);
    const [found, another] = await this.select(ctx, [by, ...seen(ctx)], 'LIMIT 2');
    if (!found) throw new ClusterTemplateNotFoundError(ident);
    if (another) throw new AmbiguousClusterTemplateError(ident);
    return found;
  }
}

export const clusterTemplates = new ClusterTemplates(ClusterTemplate, {
  missing: (key) => new ClusterTemplateNotFoundError(String(rowOf(key).id ?? '')),
  touched: 'updatedAt',
  refusals: {
    clusters_template_fkey: ({ id = '' }) => new ClusterTemplateReferencedError(id),
  },
});

/** What the caller sees of one template, hidden or not: administrators see all. */
export function seen(ctx: RequestContext): Condition[] {
  if (ctx.isAdmin || ctx.isService) return [];
  const { projectId } = ctx;
  return [
    (bind, column) =>
      `${column('projectId')} = ${bind(projectId)} OR (${column('public')} AND NOT ${column('hidden')})`,
  ];
}
