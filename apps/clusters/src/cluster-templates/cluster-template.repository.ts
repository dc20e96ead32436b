import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals, rowOf, type Condition } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { ClusterTemplate } from './cluster-template.resource.js';
import {
  AmbiguousClusterTemplateError,
  ClusterTemplateNotFoundError,
  ClusterTemplateReferencedError,
} from './cluster-template.errors.js';

class ClusterTemplates extends Table<ClusterTemplate> {
  /**
   * A template of the caller's project, or a public one.
   * @throws ClusterTemplateNotFoundError, AmbiguousClusterTemplateError
   */
  async named(ctx: RequestContext, ident: string): Promise<ClusterTemplate> {
    const found = await this.#only(ctx, ident, seen(ctx));
    if (!found) throw new ClusterTemplateNotFoundError(ident);
    return found;
  }

  /**
   * A template for a new cluster. A name prefers the administrator's own or a public template to
   * that of another project with the same name.
   * @throws ClusterTemplateNotFoundError, AmbiguousClusterTemplateError
   */
  async namedToUse(ctx: RequestContext, ident: string): Promise<ClusterTemplate> {
    const near = [ownOrPublic(ctx)];
    return (await this.#only(ctx, ident, near)) ?? this.named(ctx, ident);
  }

  async #only(
    ctx: RequestContext,
    ident: string,
    scope: readonly Condition[],
  ): Promise<ClusterTemplate | undefined> {
    const by = equals(isUuid(ident) ? 'id' : 'name', ident);
    const [found, another] = await this.select(ctx, [by, ...scope], 'LIMIT 2');
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

/** Administrators see all templates. */
export function seen(ctx: RequestContext): Condition[] {
  return ctx.isAdmin || ctx.isService ? [] : [ownOrPublic(ctx)];
}

/** Only administrators see hidden public templates. */
function ownOrPublic({ isAdmin, projectId }: RequestContext): Condition {
  return (bind, column) => {
    const isShown = isAdmin ? '' : ` AND NOT ${column('hidden')}`;
    return `${column('projectId')} = ${bind(projectId)} OR (${column('public')}${isShown})`;
  };
}
