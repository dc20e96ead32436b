/**
 * References to other services by ID or name, as seen by the caller. Each method throws an error of
 * reference.errors.ts for a missing one.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';

export interface NodeImage {
  readonly id: string;
  readonly osDistro: string;
  /** `v1.35.4`, if the image has the property. */
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
  /** @throws KeypairNotFoundError */
  abstract publicKey(ctx: RequestContext, name: string): Promise<string>;
  /** @returns its ID @throws ExternalNetworkNotFoundError or AmbiguousReferenceError */
  abstract externalNetwork(ctx: RequestContext, ident: string): Promise<string>;
  /** @returns its ID @throws FixedNetworkNotFoundError or AmbiguousReferenceError */
  abstract network(ctx: RequestContext, ident: string): Promise<string>;
  /** @throws FixedSubnetNotFoundError or AmbiguousReferenceError */
  abstract subnet(ctx: RequestContext, ident: string): Promise<NodeSubnet>;
  /** The only IPv4 subnet. @throws FixedSubnetNotFoundError, AmbiguousReferenceError */
  abstract onlySubnet(ctx: RequestContext, networkId: string): Promise<NodeSubnet>;
  /** @throws ProjectNotFoundError */
  abstract project(ctx: RequestContext, id: string): Promise<void>;
}
