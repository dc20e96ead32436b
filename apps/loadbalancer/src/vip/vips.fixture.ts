/** VIPs of a test, without a network service: addresses from 203.0.113.1 on, on the host itself. */
import { randomUUID } from 'node:crypto';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Place } from '../data-plane/data-plane.js';
import { type LoadBalancer, loadBalancers } from '../tree/load-balancer.entity.js';
import type { VipsService } from './vips.service.js';

export class FakeVips implements Pick<VipsService, 'ensurePort' | 'ensureBound' | 'release'> {
  /** Ports that are there, by the load balancer's id. */
  readonly ports = new Map<string, string>();
  /** Thrown by the next calls of `ensurePort`, one each. */
  readonly failures: Error[] = [];
  #last = 0;

  async ensurePort(ctx: RequestContext, row: LoadBalancer): Promise<LoadBalancer> {
    const failure = this.failures.shift();
    if (failure) throw failure;
    if (row.vipPortId !== null && row.vipAddress !== null) return row;
    const vipPortId = this.ports.get(row.id) ?? randomUUID();
    this.ports.set(row.id, vipPortId);
    const vipAddress = row.vipAddress ?? `203.0.113.${++this.#last}`;
    const vipNetworkId = row.vipNetworkId ?? randomUUID();
    return loadBalancers.update(ctx, row.id, { vipPortId, vipAddress, vipNetworkId });
  }

  ensureBound(): Promise<Place | undefined> {
    return Promise.resolve({ kind: 'host' });
  }

  release(_ctx: RequestContext, { id }: LoadBalancer): Promise<void> {
    this.ports.delete(id);
    return Promise.resolve();
  }
}
