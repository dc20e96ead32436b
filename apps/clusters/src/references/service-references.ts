import { Injectable } from '@nestjs/common';
import { ComputeClient } from '@cumulet/clients/compute/compute-client';
import { asCaller } from '@cumulet/clients/http/actor';
import { ProjectsClient } from '@cumulet/clients/identity/projects-client';
import { ImagesClient, type Image } from '@cumulet/clients/images/images-client';
import { NetworkClient } from '@cumulet/clients/network/network-client';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { isVersion } from './kube-version.js';
import {
  AmbiguousReferenceError,
  ExternalNetworkNotFoundError,
  FixedNetworkNotFoundError,
  FixedSubnetNotFoundError,
  FlavorNotFoundError,
  ImageNotFoundError,
  ImageVersionError,
  ImageWithoutDistroError,
  KeypairNotFoundError,
  ProjectNotFoundError,
} from './reference.errors.js';
import { References, type NodeFlavor, type NodeImage, type NodeSubnet } from './references.js';

@Injectable()
export class ServiceReferences extends References {
  constructor(
    private readonly compute: ComputeClient,
    private readonly images: ImagesClient,
    private readonly networks: NetworkClient,
    private readonly projects: ProjectsClient,
  ) {
    super();
  }

  async image(ctx: RequestContext, ident: string): Promise<NodeImage> {
    const found = await this.#image(ctx, ident);
    if (!found) throw new ImageNotFoundError(ident);
    const { os_distro: osDistro, kube_version: kubeVersion } = found.properties;
    if (!osDistro) throw new ImageWithoutDistroError(ident);
    if (!kubeVersion) return { id: found.id, osDistro, kubeVersion: null };
    if (!isVersion(kubeVersion)) throw new ImageVersionError(ident, kubeVersion);
    return { id: found.id, osDistro, kubeVersion };
  }

  async flavor(ctx: RequestContext, ident: string): Promise<NodeFlavor> {
    const found = await this.compute.flavor(asCaller(ctx), ident);
    if (!found) throw new FlavorNotFoundError(ident);
    return { id: found.id, vcpus: found.vcpus, ram: found.memoryMb, disk: found.diskGb };
  }

  async publicKey(ctx: RequestContext, name: string): Promise<string> {
    const found = await this.compute.keypair(asCaller(ctx), name);
    if (!found) throw new KeypairNotFoundError(name);
    return found.publicKey;
  }

  async externalNetwork(ctx: RequestContext, ident: string): Promise<string> {
    const all = await this.networks.networksOf(asCaller(ctx), ident);
    const found = all.filter(({ isExternal }) => isExternal);
    return onlyOne(found, 'external network', ident, ExternalNetworkNotFoundError).id;
  }

  async network(ctx: RequestContext, ident: string): Promise<string> {
    const found = await this.networks.networksOf(asCaller(ctx), ident);
    return onlyOne(found, 'network', ident, FixedNetworkNotFoundError).id;
  }

  async subnet(ctx: RequestContext, ident: string): Promise<NodeSubnet> {
    const found = await this.networks.subnetsOf(asCaller(ctx), ident);
    return onlyOne(found, 'subnet', ident, FixedSubnetNotFoundError);
  }

  async onlySubnet(ctx: RequestContext, networkId: string): Promise<NodeSubnet> {
    const found = await this.networks.subnets(asCaller(ctx), {
      network_id: networkId,
      ip_version: '4',
    });
    return onlyOne(found, 'subnet', networkId, FixedSubnetNotFoundError);
  }

  async project(ctx: RequestContext, id: string): Promise<void> {
    if (!(await this.projects.exists(asCaller(ctx), id))) throw new ProjectNotFoundError(id);
  }

  async #image(ctx: RequestContext, ident: string): Promise<Image | undefined> {
    const byId = isUuid(ident) ? await this.images.find(asCaller(ctx), ident) : undefined;
    if (byId) return byId;
    const [found, another] = await this.images.named(asCaller(ctx), ident);
    if (another) throw new AmbiguousReferenceError('image', ident);
    return found;
  }
}

function onlyOne<One>(
  found: readonly One[],
  kind: string,
  ident: string,
  missing: new (ident: string) => Error,
): One {
  const [only, another] = found;
  if (!only) throw new missing(ident);
  if (another) throw new AmbiguousReferenceError(kind, ident);
  return only;
}
