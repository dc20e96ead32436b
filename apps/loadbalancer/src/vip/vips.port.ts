/** What load balancers need of the network: their addresses, on the host that runs them. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Place } from '../data-plane/data-plane.js';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';

export interface Vips {
  /**
   * Gives the load balancer the port of its VIP, and records it in the row. Idempotent.
   * @returns the row as it is now
   * @throws ServiceRefusedError in the words of the network service
   */
  ensurePort(ctx: RequestContext, row: LoadBalancer): Promise<LoadBalancer>;

  /**
   * Has its addresses on the host that the row names, where its listeners' ports are let in.
   * @returns where they are; undefined while the network still works on it
   * @throws ServiceRefusedError
   */
  ensureBound(ctx: RequestContext, row: LoadBalancer): Promise<Place | undefined>;

  /** Gives back what the load balancer has taken, once nothing of it runs any more. */
  release(ctx: RequestContext, row: LoadBalancer): Promise<void>;
}

export const VIPS = Symbol('vips');
