/**
 * Hooks of features that depend on networks: subnets, ports, floating IPs and metadata. Each
 * registers itself, so this folder does not import them.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { NetworkSpec } from '../data-plane/data-plane.js';

export interface NetworkUser {
  /** Parts of the network's spec for the data plane. */
  partsOf?(
    ctx: RequestContext,
    networkId: string,
  ): Promise<Partial<Pick<NetworkSpec, 'subnets' | 'metadataPort'>>>;

  /** The network's subnets, or their DHCP, have changed. @param tx has locked the network */
  subnetsChanged?(tx: RequestContext, networkId: string): Promise<void>;

  /** A port has lost addresses because their subnet was deleted. */
  addressesLost?(tx: RequestContext, portId: string): Promise<void>;

  /** The network's QoS policy has changed. @param tx has locked the network */
  policyChanged?(tx: RequestContext, networkId: string): Promise<void>;

  /** The network is being deleted or is no longer external. */
  closed?(tx: RequestContext, networkId: string): Promise<void>;

  /** The network is being deleted, after `closed`. */
  removed?(tx: RequestContext, networkId: string): Promise<void>;
}

export const networkUsers: NetworkUser[] = [];
