/**
 * Hooks of features that depend on ports: routers, floating IPs, trunks, balancers, metadata. Each
 * registers itself, so this folder does not import them.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';

export interface PortUser {
  /** The network whose metadata port it is, and with whose spec it is applied. */
  servedNetwork?(tx: RequestContext, portId: string): Promise<string | undefined>;

  /**
   * Whether the port belongs to another resource and is deleted with it. Looked up in rows, since
   * clients can write any device owner.
   */
  owns?(tx: RequestContext, portId: string): Promise<boolean>;

  /** @throws if the port may not be deleted */
  refuseRemoval?(tx: RequestContext, portId: string): Promise<void>;

  /** The port is being deleted; nothing may lead to it. @throws if another project needs it */
  release?(tx: RequestContext, portId: string): Promise<void>;

  /** The port loses all addresses except `kept`. @throws if another address is needed */
  releaseAddresses?(tx: RequestContext, portId: string, kept: readonly string[]): Promise<void>;

  /** A router's port has new addresses. @throws for addresses that the router cannot have */
  readdressed?(tx: RequestContext, routerId: string): Promise<void>;
}

export const portUsers: PortUser[] = [];
