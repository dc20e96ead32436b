/** Resolves a new cluster's references to other services, as the caller. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { ClusterTemplate } from '../cluster-templates/cluster-template.resource.js';
import { checkDistro } from '../cluster-templates/template-rules.js';
import { checkLabels } from '../labels/known-labels.js';
import type { Labels } from '../labels/labels.js';
import {
  References,
  type NodeFlavor,
  type NodeImage,
  type NodeSubnet,
} from '../references/references.js';
import { MASTER_API_PORT } from '../stack/stack-place.js';
import type { Blueprint } from '../clusters/cluster.entity.js';
import { InvalidClusterError } from '../clusters/cluster.errors.js';
import { overlapIn } from '../clusters/cluster-networks.js';
import type { ClusterWishes } from './new-cluster.js';

export interface FoundReferences {
  readonly image: NodeImage;
  readonly flavor: NodeFlavor;
  readonly masterFlavor: NodeFlavor;
  readonly publicKey: string | null;
  readonly blueprint: Blueprint;
}

@Injectable()
export class ClusterReferences {
  constructor(private readonly references: References) {}

  /** @throws InvalidClusterError, or an error of reference.errors.ts, for the first invalid one */
  async find(
    ctx: RequestContext,
    wishes: ClusterWishes,
    template: ClusterTemplate,
  ): Promise<FoundReferences> {
    checkLabels(wishes.labels);
    const image = await this.nodeImage(ctx, template, wishes.labels);
    const [flavor, masterFlavor] = [
      await this.#flavor(ctx, 'flavor_id', wishes.flavor),
      await this.#flavor(ctx, 'master_flavor_id', wishes.masterFlavor),
    ];
    for (const one of [flavor, masterFlavor]) checkRoom(one, wishes.dockerVolumeSize);
    const blueprint = await this.#blueprint(ctx, wishes, template);
    const overlap = overlapIn(wishes.labels, blueprint.networkId === null);
    if (overlap !== undefined) throw new InvalidClusterError(overlap);
    const publicKey =
      wishes.keypair === null ? null : await this.references.publicKey(ctx, wishes.keypair);
    return { image, flavor, masterFlavor, blueprint, publicKey };
  }

  /** The template's image as of now. */
  async nodeImage(
    ctx: RequestContext,
    { imageId, coe }: Pick<ClusterTemplate, 'imageId' | 'coe'>,
    labels: Labels,
  ): Promise<NodeImage> {
    const image = await this.references.image(ctx, imageId);
    checkDistro(image.osDistro, labels, coe);
    const wanted = labels['kube_tag']?.replace(/^v?/, 'v');
    if (wanted !== undefined && image.kubeVersion !== null && wanted !== image.kubeVersion)
      throw new InvalidClusterError(
        `The label kube_tag asks for ${wanted}, but the image ${imageId} carries ${image.kubeVersion}.`,
      );
    return image;
  }

  #flavor(ctx: RequestContext, field: string, ident: string | null): Promise<NodeFlavor> {
    if (ident === null)
      throw new InvalidClusterError(`${field} is in neither the request nor the template.`);
    return this.references.flavor(ctx, ident);
  }

  async #blueprint(
    ctx: RequestContext,
    wishes: ClusterWishes,
    template: ClusterTemplate,
  ): Promise<Blueprint> {
    const { externalNetworkId, dnsNameserver, insecureRegistry } = template;
    const place = await this.#place(ctx, wishes);
    return {
      externalNetworkId:
        externalNetworkId === null
          ? null
          : await this.references.externalNetwork(ctx, externalNetworkId),
      networkId: place?.networkId ?? null,
      subnetId: place?.id ?? null,
      dnsNameservers: listOf(dnsNameserver),
      proxy: { http: template.httpProxy, https: template.httpsProxy, no: template.noProxy },
      insecureRegistries: listOf(insecureRegistry),
      apiPort: apiPortOf(template, wishes),
    };
  }

  /** The nodes' subnet; undefined for a network of the cluster's own. */
  async #place(
    ctx: RequestContext,
    { fixedNetwork, fixedSubnet }: ClusterWishes,
  ): Promise<NodeSubnet | undefined> {
    if (fixedSubnet === null) {
      if (fixedNetwork === null) return undefined;
      return this.references.onlySubnet(ctx, await this.references.network(ctx, fixedNetwork));
    }
    const subnet = await this.references.subnet(ctx, fixedSubnet);
    if (fixedNetwork === null) return subnet;
    const networkId = await this.references.network(ctx, fixedNetwork);
    if (networkId === subnet.networkId) return subnet;
    throw new InvalidClusterError(
      `The fixed_subnet ${fixedSubnet} does not belong to the fixed_network ${fixedNetwork}.`,
    );
  }
}

/** @throws InvalidClusterError for a port other than the masters', without a load balancer */
function apiPortOf({ apiserverPort }: ClusterTemplate, { masterLbEnabled }: ClusterWishes): number {
  const port = apiserverPort ?? MASTER_API_PORT;
  if (masterLbEnabled || port === MASTER_API_PORT) return port;
  throw new InvalidClusterError(
    `The template's apiserver_port ${port} needs master_lb_enabled: masters themselves listen on ${MASTER_API_PORT}.`,
  );
}

/** GiB of a node's disk taken by its system. */
const SYSTEM_GIB = 4;

/** Containers use the node's own disk, since there are no volumes. @throws InvalidClusterError */
export function checkRoom({ id, disk }: NodeFlavor, wanted: number | null): void {
  if (wanted === null || disk - SYSTEM_GIB >= wanted) return;
  throw new InvalidClusterError(
    `docker_volume_size asks for ${wanted} GiB for containers, but a node of flavor ${id} has ${Math.max(0, disk - SYSTEM_GIB)} GiB for them: its disk of ${disk} less ${SYSTEM_GIB} of the system.`,
  );
}

function listOf(text: string | null): string[] {
  return (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
