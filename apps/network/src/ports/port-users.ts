/**
 * What has to do with ports and stands above them: routers, floating IPs, trunks, balancers, metadata.
 * Each registers itself where its module is, so that ports know none of them.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';

export interface PortUser {
  /** The network whose own port it is, with which the data plane is told of it. */
  servedNetwork?(tx: RequestContext, portId: string): Promise<string | undefined>;

  /** Whether the port goes with what it belongs to, and not by itself. What clients write of it says nothing. */
  owns?(tx: RequestContext, portId: string): Promise<boolean>;

  /** @throws where the port may not be deleted */
  refuseRemoval?(tx: RequestContext, portId: string): Promise<void>;

  /** The port is being deleted: nothing leads to it any more. @throws where somebody else needs it */
  release?(tx: RequestContext, portId: string): Promise<void>;

  /** The port is to have no address but these. @throws where another one is needed */
  releaseAddresses?(tx: RequestContext, portId: string, kept: readonly string[]): Promise<void>;

  /** A router's port has other addresses. @throws for those that the router cannot have */
  readdressed?(tx: RequestContext, routerId: string): Promise<void>;
}

export const portUsers: PortUser[] = [];
