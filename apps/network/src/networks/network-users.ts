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

  /** A subnet is being deleted. */
  subnetRemoved?(tx: RequestContext, subnetId: string): Promise<void>;

  /** The network's QoS policy has changed. @param tx has locked the network */
  policyChanged?(tx: RequestContext, networkId: string): Promise<void>;

  /** The network is being deleted or is no longer external. */
  closed?(tx: RequestContext, networkId: string): Promise<void>;

  /** The network is being deleted, after `closed`. */
  removed?(tx: RequestContext, networkId: string): Promise<void>;

  /** Called after `removed`. @throws if the network may not be deleted */
  refuseRemoval?(tx: RequestContext, networkId: string): Promise<void>;

  /** Whether rows on the network are left, which the data plane removes before the network. */
  isOn?(ctx: RequestContext, networkId: string): Promise<boolean>;
}

export const networkUsers: NetworkUser[] = [];
