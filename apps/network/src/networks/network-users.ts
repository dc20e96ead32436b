/**
 * What has to do with networks and stands above them: their subnets, ports, floating IPs and metadata.
 * Each registers itself where its module is, so that networks know none of them.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { NetworkSpec } from '../data-plane/data-plane.js';

export interface NetworkUser {
  /** What the data plane is told of it with the network. */
  partsOf?(
    ctx: RequestContext,
    networkId: string,
  ): Promise<Partial<Pick<NetworkSpec, 'subnets' | 'metadataPort'>>>;

  /** The network's subnets have changed, or whether they have DHCP. @param tx has locked it */
  subnetsChanged?(tx: RequestContext, networkId: string): Promise<void>;

  /** A port has lost its addresses with their subnet. */
  addressesLost?(tx: RequestContext, portId: string): Promise<void>;

  /** The network's QoS policy is another one. @param tx has locked it */
  policyChanged?(tx: RequestContext, networkId: string): Promise<void>;

  /** The network is no way out any longer: it goes, or is external no more. */
  closed?(tx: RequestContext, networkId: string): Promise<void>;

  /** The network goes, once it is nobody's way out: what it has by itself goes with it. */
  removed?(tx: RequestContext, networkId: string): Promise<void>;
}

export const networkUsers: NetworkUser[] = [];
