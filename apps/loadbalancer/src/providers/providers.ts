/** The providers of load balancers, their drivers, and the features of those. */
import { Inject, Injectable } from '@nestjs/common';
import { invalid } from '@cumulet/common/errors/domain-error';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Scope, Wait } from '@cumulet/common/reconcile/reconciler';
import { CONFIG } from '@cumulet/common/service/tokens';
import { asService } from '@cumulet/clients/http/actor';
import type { LoadBalancerConfig } from '../config.js';
import { ALGORITHMS, LISTENER_PROTOCOLS, POOL_PROTOCOLS } from '../data-plane/balancer-spec.js';
import { NETWORKS, type Networks } from '../network/networks.port.js';
import { HAPROXY_FLAVOR, HAPROXY_ZONE, type Capabilities } from './capabilities.js';

/** How long an answer holds, in milliseconds: clouds seldom change their data plane. */
const HOLDS_MS = { yes: 60_000, no: 5_000 };

/** A host's switch in userspace, which OVN alone has. */
const DATAPATH = 'netdev';

/** Whether the network service has OVN, without which nobody is offered it. */
@Injectable()
export class OvnOffer {
  #known = { isThere: false, until: -Infinity };

  constructor(@Inject(NETWORKS) private readonly networks: Pick<Networks, 'agents'>) {}

  /** As it was last known while the network service does not answer. */
  async isThere(ctx: RequestContext): Promise<boolean> {
    const now = performance.now();
    if (now < this.#known.until) return this.#known.isThere;
    let { isThere } = this.#known;
    try {
      const agents = await this.networks.agents(asService(ctx));
      isThere = agents.some(({ datapathType }) => datapathType === DATAPATH);
    } catch {
      // The next one asks again.
    }
    this.#known = { isThere, until: now + (isThere ? HOLDS_MS.yes : HOLDS_MS.no) };
    return isThere;
  }
}

/** The software that runs the load balancers of a provider, whatever name the provider goes by. */
export type Driver = 'haproxy' | 'ovn';

/** The name of the provider whose load balancers OVN runs, without a host. */
export const OVN = 'ovn';

/** @param provider the name in a load balancer's row */
export function driverOf({ provider }: { readonly provider: string }): Driver {
  return provider === OVN ? 'ovn' : 'haproxy';
}

/** Properties of a driver that rules of listeners, pools and VIPs depend on. */
interface DriverFeatures {
  readonly protocols: readonly string[];
  readonly algorithms: readonly string[];
  /** Whether packets arrive at the VIP's port, so that security groups apply to them. */
  readonly usesVipPort: boolean;
}

const FEATURES: Readonly<Record<Driver, DriverFeatures>> = {
  haproxy: {
    protocols: [...LISTENER_PROTOCOLS, ...POOL_PROTOCOLS].filter((one) => !isDatagram(one)),
    algorithms: ALGORITHMS,
    usesVipPort: true,
  },
  ovn: {
    protocols: ['TCP', 'UDP', 'SCTP'],
    algorithms: ['SOURCE_IP_PORT'],
    usesVipPort: false,
  },
};

export function featuresOf(row: { readonly provider: string }): DriverFeatures {
  return FEATURES[driverOf(row)];
}

/** Protocols without connections or byte streams, which HAProxy does not carry. */
export function isDatagram(protocol: string): boolean {
  return protocol === 'UDP' || protocol === 'SCTP';
}

export interface Provider {
  readonly name: string;
  readonly description: string;
  readonly driver: Driver;
  readonly flavor: Capabilities;
  readonly zone: Capabilities;
}

/** Runs the load balancers of a provider. Every call is idempotent. */
export interface ProviderDriver<Row> {
  /**
   * Places the load balancer.
   * @throws RowChangedError if another host has it
   */
  place(scope: Scope<Row>): Promise<void>;

  /**
   * Applies its rows.
   * @returns how long to wait before the next call; undefined once it is applied
   * @throws BalancerRefusedError if it cannot run like this
   */
  apply(scope: Scope<Row>): Promise<Wait | undefined>;

  /** Stops it, if it runs. */
  remove(scope: Scope<Row>): Promise<void>;
}

const HAPROXY: Provider = {
  name: 'haproxy',
  description: 'HAProxy on a host of the platform.',
  driver: 'haproxy',
  flavor: HAPROXY_FLAVOR,
  zone: HAPROXY_ZONE,
};

const OVN_PROVIDER: Provider = {
  name: OVN,
  description: "OVN's own load balancers: TCP, UDP and SCTP.",
  driver: 'ovn',
  flavor: {},
  zone: {},
};

/** Names of Octavia's own provider, which has the same protocols, algorithms and policies. */
const AMPHORA_NAMES = ['amphora', 'octavia'];

export class ProviderNotEnabledError extends invalid(
  (provider: string) => `Provider '${provider}' is not enabled.`,
) {}

@Injectable()
export class Providers {
  readonly #ofHosts: readonly Provider[];

  constructor(
    @Inject(CONFIG) { amphoraNames }: Pick<LoadBalancerConfig, 'amphoraNames'>,
    private readonly ovn: OvnOffer,
  ) {
    const names = amphoraNames ? AMPHORA_NAMES : [];
    const description = `An alias of ${HAPROXY.name}.`;
    this.#ofHosts = [HAPROXY, ...names.map((name) => ({ ...HAPROXY, name, description }))];
  }

  /** The usual one first; OVN where the network service has it. */
  async all(ctx: RequestContext): Promise<readonly Provider[]> {
    return [...this.#ofHosts, ...((await this.ovn.isThere(ctx)) ? [OVN_PROVIDER] : [])];
  }

  /** The one that load balancers get whose owner names none. */
  get usual(): Provider {
    return HAPROXY;
  }

  /** @throws ProviderNotEnabledError */
  async get(ctx: RequestContext, name: string): Promise<Provider> {
    const known = this.#ofHosts.find((one) => one.name === name);
    const provider = known ?? (await this.all(ctx)).find((one) => one.name === name);
    if (!provider) throw new ProviderNotEnabledError(name);
    return provider;
  }
}
