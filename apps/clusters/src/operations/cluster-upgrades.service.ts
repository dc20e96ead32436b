/**
 * Moves a cluster to another template by replacing its nodes, masters first. Public source:
 * Container Infrastructure Management API reference, "Upgrade a cluster".
 */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { ClusterTemplate } from '../cluster-templates/cluster-template.resource.js';
import { clusterTemplates } from '../cluster-templates/cluster-template.repository.js';
import type { NodeGroup } from '../node-groups/node-group.resource.js';
import { nodeGroups, staying } from '../node-groups/node-group.repository.js';
import type { NodeImage } from '../references/references.js';
import { beginWork } from '../work/begin-work.js';
import type { UpgradeDto } from './cluster.dto.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import type { ClusterId } from '../clusters/cluster.resource.js';
import { InvalidClusterTemplateForUpgradeError } from '../clusters/cluster.errors.js';
import { ClusterReferences } from './cluster-references.js';
import { clusters } from '../clusters/cluster.repository.js';
import { ClusterTrusts } from '../clusters/cluster-trusts.js';
import { mayReplaceMasters } from '../clusters/needs-agent.js';
import { skewFault, upgradeFault } from '../references/kube-version.js';

@Injectable()
export class ClusterUpgradesService {
  constructor(
    private readonly references: ClusterReferences,
    private readonly trusts: ClusterTrusts,
  ) {}

  /** @throws InvalidClusterTemplateForUpgradeError, ClusterTemplateNotFoundError, NodeGroupNotFoundError */
  async upgrade(ctx: RequestContext, ident: string, dto: UpgradeDto): Promise<ClusterId> {
    const cluster = await clusters.named(ctx, ident);
    const template = await clusterTemplates.named(ctx, dto.cluster_template);
    const image = await this.references.nodeImage(ctx, template, withoutVersion(cluster));
    const all = await nodeGroups.ofCluster(ctx, cluster.id);
    const groups = await this.#groups(ctx, cluster, template, dto.nodegroup ?? null);
    for (const group of groups) checkUpgrade(cluster, group, image);
    checkSkew(all, groups, image);
    await this.trusts.forChange(ctx, cluster, (columns) =>
      inTransaction(ctx, async (tx) => {
        await beginWork(tx, cluster, 'upgrade', {
          doing: 'Upgrading',
          set: {
            ...columns,
            clusterTemplateId: template.id,
            labels: withVersionOf(cluster, image),
            maxBatchSize: dto.max_batch_size ?? 1,
          },
          groups: groups.map(({ id }) => id),
        });
        for (const { id } of groups)
          await nodeGroups.update(
            tx,
            { id },
            { imageId: template.imageId, imageRef: image.id, version: image.kubeVersion },
          );
      }),
    );
    return cluster.id;
  }

  /** The named group, or all groups that follow the template. */
  async #groups(
    ctx: RequestContext,
    cluster: Cluster,
    template: ClusterTemplate,
    named: string | null,
  ): Promise<NodeGroup[]> {
    if (named === null) {
      const former = await clusterTemplates.get(ctx, cluster.clusterTemplateId);
      const all = await nodeGroups.ofCluster(ctx, cluster.id);
      return all.filter(
        ({ isDefault, isLeaving, imageId }) =>
          !isLeaving && (isDefault || imageId === former.imageId),
      );
    }
    const group = staying(await nodeGroups.named(ctx, cluster.id, named));
    if (!group.isDefault && template.id !== cluster.clusterTemplateId)
      throw new InvalidClusterTemplateForUpgradeError(
        `Nodegroup ${group.name} can be upgraded only to match cluster's template (${cluster.clusterTemplateId}).`,
      );
    return [group];
  }
}

/** @throws InvalidClusterTemplateForUpgradeError */
function checkUpgrade(cluster: Cluster, group: NodeGroup, image: NodeImage): void {
  const fault = upgradeFault(group.version, image.kubeVersion);
  if (fault !== undefined) throw new InvalidClusterTemplateForUpgradeError(fault);
  const isReplaced = group.role === 'master' && group.imageRef !== image.id;
  if (isReplaced) mayReplaceMasters(cluster);
}

/** Remaining masters must be as new as the nodes. @throws InvalidClusterTemplateForUpgradeError */
function checkSkew(
  all: readonly NodeGroup[],
  upgraded: readonly NodeGroup[],
  { kubeVersion }: NodeImage,
): void {
  const staying = all.filter(
    ({ id, role }) => role === 'master' && !upgraded.some((group) => group.id === id),
  );
  for (const { version } of staying) {
    const fault = skewFault(kubeVersion, version);
    if (fault !== undefined) throw new InvalidClusterTemplateForUpgradeError(fault);
  }
}

/** A kube_tag label names the former version. */
function withoutVersion({ labels }: Cluster): Cluster['labels'] {
  const { kube_tag: _former, ...others } = labels;
  return others;
}

function withVersionOf(cluster: Cluster, { kubeVersion }: NodeImage): Cluster['labels'] {
  const hadOne = cluster.labels['kube_tag'] !== undefined;
  return hadOne && kubeVersion !== null
    ? { ...cluster.labels, kube_tag: kubeVersion }
    : cluster.labels;
}
