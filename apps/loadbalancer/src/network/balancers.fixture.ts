/** The network service's door of a test: what it was asked for, and what it says of it. */
import type { Actor } from '@cumulet/clients/http/actor';
import type { Balancer, NewBalancer } from '@cumulet/clients/network/balancer-wire';
import type { Balancers } from './networks.port.js';

export class FakeBalancers implements Balancers {
  readonly held = new Map<string, NewBalancer>();
  /** By the balancer's id, why the data plane would not have it. */
  readonly refusals = new Map<string, string>();
  /** By the member's id, what its checks say rather than that it answers. */
  readonly results = new Map<string, 'offline' | 'error'>();
  /** How often it says that it is at work before it is done. */
  work = 1;
  #left = 0;

  balancers(_actor: Actor): Promise<Balancer[]> {
    return Promise.resolve([...this.held.values()].map((one) => this.#shown(one)));
  }

  balancer(_actor: Actor, id: string): Promise<Balancer | undefined> {
    this.#left -= 1;
    const one = this.held.get(id);
    return Promise.resolve(one && this.#shown(one));
  }

  putBalancer(_actor: Actor, balancer: NewBalancer): Promise<Balancer> {
    const isSame = JSON.stringify(this.held.get(balancer.id)) === JSON.stringify(balancer);
    if (!isSame) this.#left = this.work;
    this.held.set(balancer.id, balancer);
    return Promise.resolve(this.#shown(balancer));
  }

  deleteBalancer(_actor: Actor, id: string): Promise<void> {
    this.held.delete(id);
    return Promise.resolve();
  }

  #shown({ id, listeners }: NewBalancer): Balancer {
    const checked = listeners.flatMap(({ check, members }) => (check ? members : []));
    const members = new Map(
      checked.map((one) => [one.id, this.results.get(one.id) ?? ('online' as const)]),
    );
    const why = this.refusals.get(id);
    if (this.#left > 0) return { id, status: 'BUILD', statusReason: null, members };
    const status = why === undefined ? 'ACTIVE' : 'ERROR';
    return { id, status, statusReason: why ?? null, members };
  }
}
