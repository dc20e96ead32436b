/** Public source: Container Infrastructure Management API reference, "Manage Cluster Templates". */
import { randomUUID } from 'node:crypto';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { validated } from '@cumulet/common/http/validation';
import { columnsGiven, documentOf } from '@cumulet/common/resources/classes';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { Injectable } from '@nestjs/common';
import { pageOf } from '../http/paging.js';
import { randomName } from '../http/random-name.js';
import { type Change, changedIn, patched, type PatchRules } from '../patches/json-patch.js';
import { References } from '../references/references.js';
import {
  ClusterTemplateReferencedError,
  ForeignClusterTemplateError,
  PublishingForbiddenError,
} from './cluster-template.errors.js';
import {
  CLUSTER_TEMPLATE,
  type ClusterTemplate,
  ClusterTemplateDto,
  type ClusterTemplateId,
  type ListClusterTemplatesQuery,
} from './cluster-template.resource.js';
import { clusterTemplates, seen } from './cluster-template.repository.js';
import { checkDistro, checkTemplate } from './template-rules.js';

async function hasClusters({ manager }: RequestContext, id: ClusterTemplateId): Promise<boolean> {
  const rows = await preparedRows(
    manager,
    'SELECT 1 AS one FROM clusters WHERE cluster_template_id = $1 LIMIT 1',
    [id],
  );
  return rows.length > 0;
}

/** The only fields that may change while clusters use the template, one at a time. */
const CHANGEABLE_IN_USE = ['name', 'public', 'hidden', 'tags'];

const PATCH: PatchRules = {
  internal: [],
  mandatory: [
    'image_id',
    'network_driver',
    'external_network_id',
    'tls_disabled',
    'public',
    'server_type',
    'coe',
    'registry_enabled',
    'cluster_distro',
    'hidden',
  ],
  structured: ['labels'],
  defaults: { labels: {} },
};

@Injectable()
export class ClusterTemplatesService {
  constructor(private readonly references: References) {}

  list(
    ctx: RequestContext,
    query: ListClusterTemplatesQuery,
  ): Promise<PageOfRows<ClusterTemplate>> {
    return clusterTemplates.list(ctx, { ...pageOf<ClusterTemplate>(query), scope: seen(ctx) });
  }

  /** @throws ClusterTemplateNotFoundError, AmbiguousClusterTemplateError */
  get(ctx: RequestContext, ident: string): Promise<ClusterTemplate> {
    return clusterTemplates.named(ctx, ident);
  }

  /** @throws InvalidClusterTemplateError, PublishingForbiddenError, or of reference.errors.ts */
  async create(ctx: RequestContext, dto: ClusterTemplateDto): Promise<ClusterTemplate> {
    const columns = await this.checked(ctx, dto);
    return clusterTemplates.insert(ctx, {
      ...columns,
      id: asId<ClusterTemplateId>(randomUUID()),
      projectId: ctx.projectId,
      userId: ctx.userId,
    });
  }

  /** @throws InvalidPatchError, ClusterTemplateReferencedError, and the errors of create() */
  async update(
    ctx: RequestContext,
    ident: string,
    changes: readonly Change[],
  ): Promise<ClusterTemplate> {
    const before = await this.owned(ctx, ident);
    const document = documentOf(CLUSTER_TEMPLATE, before);
    const after = patched(document, changes, PATCH);
    const changed = changedIn(document, after);
    const dto = await validated(ClusterTemplateDto, after);
    const columns = await this.checked(ctx, dto, before);
    return inTransaction(ctx, async (tx) => {
      const { id } = await clusterTemplates.lock(tx, before.id);
      const isMinor =
        changed.length === 1 && changed.every((one) => CHANGEABLE_IN_USE.includes(one));
      if (changed.length > 0 && !isMinor && (await hasClusters(tx, id)))
        throw new ClusterTemplateReferencedError(ident);
      return clusterTemplates.update(tx, { id }, columns);
    });
  }

  /** @throws ClusterTemplateReferencedError while a cluster uses the template */
  async delete(ctx: RequestContext, ident: string): Promise<void> {
    const { id } = await this.owned(ctx, ident);
    await clusterTemplates.delete(ctx, { id });
  }

  /** Public templates are read-only to other projects. */
  private async owned(ctx: RequestContext, ident: string): Promise<ClusterTemplate> {
    const found = await clusterTemplates.named(ctx, ident);
    if (!ctx.isAdmin && found.projectId !== ctx.projectId)
      throw new ForeignClusterTemplateError(ident);
    return found;
  }

  private async checked(
    ctx: RequestContext,
    dto: ClusterTemplateDto,
    before?: ClusterTemplate,
  ): Promise<Partial<ClusterTemplate>> {
    const given = columnsGiven(CLUSTER_TEMPLATE, dto);
    const columns = { ...given, name: given.name ?? before?.name ?? randomName('template') };
    checkTemplate(columns);
    const { public: isPublic = false, hidden = false } = before ?? {};
    const isPublished = columns.public !== isPublic || columns.hidden !== hidden;
    if (isPublished && !ctx.isAdmin) throw new PublishingForbiddenError();
    const { osDistro } = await this.references.image(ctx, columns.imageId);
    checkDistro(osDistro, columns.labels, columns.coe);
    for (const flavor of [columns.flavorId, columns.masterFlavorId])
      if (flavor !== null) await this.references.flavor(ctx, flavor);
    if (columns.externalNetworkId !== null)
      await this.references.externalNetwork(ctx, columns.externalNetworkId);
    if (columns.fixedNetwork !== null) await this.references.network(ctx, columns.fixedNetwork);
    if (columns.fixedSubnet !== null) await this.references.subnet(ctx, columns.fixedSubnet);
    return { ...columns, clusterDistro: osDistro };
  }
}
