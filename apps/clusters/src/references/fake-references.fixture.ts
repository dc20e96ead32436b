import { randomUUID } from 'node:crypto';
import type { RequestContext } from '@cumulet/common/context/request-context';
import {
  ExternalNetworkNotFoundError,
  FixedNetworkNotFoundError,
  FixedSubnetNotFoundError,
  FlavorNotFoundError,
  ImageNotFoundError,
  ImageWithoutDistroError,
  KeypairNotFoundError,
  ProjectNotFoundError,
} from './reference.errors.js';
import { References, type NodeFlavor, type NodeImage, type NodeSubnet } from './references.js';

/** Resources of other services, by name. */
export class FakeReferences extends References {
  readonly images = new Map<string, NodeImage>([
    ['node-1.34', imageOf('v1.34.4')],
    ['node-1.35', imageOf('v1.35.4')],
    ['node-1.36', imageOf('v1.36.1')],
    ['ubuntu', { id: randomUUID(), osDistro: 'ubuntu', kubeVersion: null }],
    ['nameless', { id: randomUUID(), osDistro: '', kubeVersion: null }],
  ]);
  readonly flavors = new Map<string, NodeFlavor>(
    ['m1.small', 'm1.medium'].map((id) => [id, { id, vcpus: 2, ram: 2048, disk: 20 }]),
  );
  readonly keypairs = new Map([['mine', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample me']]);
  readonly networks = new Map([
    ['public', randomUUID()],
    ['private', randomUUID()],
  ]);
  readonly subnets = new Map<string, NodeSubnet>([
    ['private-subnet', { id: randomUUID(), networkId: this.networks.get('private') ?? '' }],
  ]);
  readonly missingProjects = new Set<string>();

  image(_ctx: RequestContext, ident: string): Promise<NodeImage> {
    const found = this.images.get(ident);
    if (!found) return Promise.reject(new ImageNotFoundError(ident));
    if (found.osDistro === '') return Promise.reject(new ImageWithoutDistroError(ident));
    return Promise.resolve(found);
  }

  flavor(_ctx: RequestContext, ident: string): Promise<NodeFlavor> {
    return found(this.flavors.get(ident), () => new FlavorNotFoundError(ident));
  }

  publicKey(_ctx: RequestContext, name: string): Promise<string> {
    return found(this.keypairs.get(name), () => new KeypairNotFoundError(name));
  }

  externalNetwork(_ctx: RequestContext, ident: string): Promise<string> {
    const id = ident === 'public' ? this.networks.get(ident) : undefined;
    return found(id, () => new ExternalNetworkNotFoundError(ident));
  }

  network(_ctx: RequestContext, ident: string): Promise<string> {
    return found(this.networks.get(ident), () => new FixedNetworkNotFoundError(ident));
  }

  subnet(_ctx: RequestContext, ident: string): Promise<NodeSubnet> {
    return found(this.subnets.get(ident), () => new FixedSubnetNotFoundError(ident));
  }

  onlySubnet(_ctx: RequestContext, networkId: string): Promise<NodeSubnet> {
    const own = [...this.subnets.values()].find((one) => one.networkId === networkId);
    return found(own, () => new FixedSubnetNotFoundError(networkId));
  }

  project(_ctx: RequestContext, id: string): Promise<void> {
    return this.missingProjects.has(id)
      ? Promise.reject(new ProjectNotFoundError(id))
      : Promise.resolve();
  }
}

function found<T>(value: T | undefined, missing: () => Error): Promise<T> {
  return value === undefined ? Promise.reject(missing()) : Promise.resolve(value);
}

function imageOf(kubeVersion: string): NodeImage {
  return { id: randomUUID(), osDistro: 'cumulet-node', kubeVersion };
}
