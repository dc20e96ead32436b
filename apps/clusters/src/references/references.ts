/**
 * What templates and clusters name of other services, as the caller may see it: by id or name. Each
 * method throws an error of reference.errors.ts that names what is not there.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';

export interface NodeImage {
  readonly id: string;
  readonly osDistro: string;
  /** `v1.35.4`, where the image says so. */
  readonly kubeVersion: string | null;
}

export interface NodeFlavor {
  readonly id: string;
  readonly vcpus: number;
  /** MiB. */
  readonly ram: number;
  /** GiB. */
  readonly disk: number;
}

export interface NodeSubnet {
  readonly id: string;
  readonly networkId: string;
}

export abstract class References {
  /** @throws ImageNotFoundError, AmbiguousReferenceError or ImageWithoutDistroError */
  abstract image(ctx: RequestContext, ident: string): Promise<NodeImage>;
  /** @throws FlavorNotFoundError */
  abstract flavor(ctx: RequestContext, ident: string): Promise<NodeFlavor>;
  /** @returns the public key. @throws KeypairNotFoundError */
  abstract publicKey(ctx: RequestContext, name: string): Promise<string>;
  /** @returns its id. @throws ExternalNetworkNotFoundError or AmbiguousReferenceError */
  abstract externalNetwork(ctx: RequestContext, ident: string): Promise<string>;
  /** @returns its id. @throws FixedNetworkNotFoundError or AmbiguousReferenceError */
  abstract network(ctx: RequestContext, ident: string): Promise<string>;
  /** @throws FixedSubnetNotFoundError or AmbiguousReferenceError */
  abstract subnet(ctx: RequestContext, ident: string): Promise<NodeSubnet>;
  /** The one subnet of a network that has IPv4. @throws FixedSubnetNotFoundError, AmbiguousReferenceError */
  abstract onlySubnet(ctx: RequestContext, networkId: string): Promise<NodeSubnet>;
  /** @throws ProjectNotFoundError */
  abstract project(ctx: RequestContext, id: string): Promise<void>;
}
