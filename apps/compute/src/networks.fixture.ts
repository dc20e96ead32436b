/** A fake network service, which refuses what the real one refuses compute, in its words. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '@cumulet/clients/http/actor';
import {
  ServiceRefusedError,
  ServiceUnavailableError,
} from '@cumulet/clients/http/service-client-errors';
import type {
  FloatingIp,
  Network,
  NewPort,
  Port,
  PortBinding,
  PortChange,
  SecurityGroup,
  Subnet,
  Vif,
} from '@cumulet/clients/network/network-wire';
import type { Networks } from './networks.port.js';

type Filter = Readonly<Record<string, string | readonly string[]>>;

const refusal = (status: number, message: string): ServiceRefusedError =>
  new ServiceRefusedError('network', status, message);

export class FakeNetworks implements Networks {
  readonly #networks = new Map<string, Network>();
  readonly #subnets = new Map<string, Subnet>();
  readonly #groups = new Map<string, SecurityGroup>();
  readonly #made = new Map<string, string>();
  readonly stored = new Map<string, Port>();
  readonly leading: FloatingIp[] = [];
  /** Requests with their caller: `createPort as service`. */
  readonly asked: string[] = [];
  /** Ports that a project may still create. */
  quota = Infinity;
  /** Errors of the next calls of these methods, one each; `afterwards`: after the call's effect. */
  readonly failures: {
    readonly method: string;
    readonly error: Error;
    readonly afterwards?: boolean;
  }[] = [];
  /** The binding of ports on hosts. */
  vif: Vif = { type: 'ovs', details: { connectivity: 'l2', port_filter: true } };
  /** The network namespace of guests' devices on hosts. */
  namespace: string | undefined;
  /** The network that projects get automatically; by default there is none. */
  topology: string | undefined;

  /** A network with one subnet, shared by default. */
  add(network: Partial<Network> = {}, subnet: Partial<Subnet> | null = {}): Network {
    const id = network.id ?? randomUUID();
    const subnetId = randomUUID();
    if (subnet) {
      this.#subnets.set(subnetId, {
        id: subnetId,
        networkId: id,
        ipVersion: 4,
        cidr: '10.0.0.0/24',
        gatewayIp: '10.0.0.1',
        hasDhcp: true,
        dnsNameservers: [],
        hostRoutes: [],
        ipv6AddressMode: null,
        ...subnet,
      });
    }
    const added: Network = {
      id,
      projectId: 'somebody',
      name: 'net',
      status: 'ACTIVE',
      mtu: 1442,
      isShared: true,
      isExternal: false,
      subnetIds: subnet ? [subnetId] : [],
      ...network,
    };
    this.#networks.set(id, added);
    return added;
  }

  addGroup(group: Partial<SecurityGroup>): SecurityGroup {
    const id = randomUUID();
    const added = { id, projectId: '', name: 'web', description: '', rules: [], ...group };
    this.#groups.set(id, added);
    return added;
  }

  clear(): void {
    for (const all of [this.#networks, this.#subnets, this.#groups, this.stored, this.#made])
      all.clear();
    this.leading.length = 0;
    this.asked.length = 0;
    this.topology = undefined;
  }

  /** A port that its owner has created. */
  givenPort(networkId: string, port: Partial<Port> = {}): Port {
    return this.#store({ networkId, projectId: 'somebody' }, port);
  }

  networks(actor: Actor, filter: Filter): Promise<Network[]> {
    return this.#call('networks', actor, () =>
      matching([...this.#networks.values()], filter, (one) => ({
        id: one.id,
        project_id: one.projectId,
        shared: String(one.isShared),
      })),
    );
  }

  subnets(actor: Actor, filter: Filter): Promise<Subnet[]> {
    return this.#call('subnets', actor, () =>
      matching([...this.#subnets.values()], filter, (one) => ({ network_id: one.networkId })),
    );
  }

  securityGroups(actor: Actor, filter: Filter): Promise<SecurityGroup[]> {
    return this.#call('securityGroups', actor, () =>
      matching([...this.#groups.values()], filter, (one) => ({
        id: one.id,
        name: one.name,
        project_id: one.projectId,
        shared: 'false',
      })),
    );
  }

  floatingIps(actor: Actor, filter: Filter): Promise<FloatingIp[]> {
    return this.#call('floatingIps', actor, () =>
      matching(this.leading, filter, (one) => ({
        port_id: one.portId ?? '',
        floating_ip_address: one.floatingAddress,
      })),
    );
  }

  associateFloatingIp(
    actor: Actor,
    id: string,
    to: Pick<Required<FloatingIp>, 'portId' | 'fixedAddress'> | null,
  ): Promise<void> {
    const leadsTo = (one: FloatingIp): boolean =>
      to !== null &&
      one.id !== id &&
      one.portId === to.portId &&
      one.fixedAddress === to.fixedAddress;
    return this.#call('associateFloatingIp', actor, () => {
      if (this.leading.some(leadsTo)) throw refusal(409, 'The fixed IP has a floating IP already.');
      const at = this.leading.findIndex((one) => one.id === id);
      const found = this.leading[at];
      if (!found) throw refusal(404, `Floating IP ${id} could not be found`);
      this.leading[at] = { ...found, ...(to ?? { portId: null, fixedAddress: null }) };
    });
  }

  namespaceOf(actor: Actor): Promise<string | undefined> {
    return this.#call('namespaceOf', actor, () => this.namespace);
  }

  freePorts(actor: Actor): Promise<number> {
    return this.#call('freePorts', actor, () => this.quota);
  }

  autoAllocated(actor: Actor): Promise<string> {
    return this.#call('autoAllocated', actor, () => this.#topology());
  }

  checkAutoAllocation(actor: Actor): Promise<void> {
    return this.#call('checkAutoAllocation', actor, () => void this.#topology());
  }

  port(actor: Actor, id: string): Promise<Port | undefined> {
    return this.#call('port', actor, () => this.stored.get(id));
  }

  ports(actor: Actor, filter: Filter): Promise<Port[]> {
    return this.#call('ports', actor, () =>
      matching([...this.stored.values()], filter, (one) => ({
        network_id: one.networkId,
        device_id: one.deviceId,
        fixed_ips: one.addresses.map(({ address }) => `ip_address=${address}`),
      })),
    );
  }

  createPort(actor: Actor, port: NewPort, key: string): Promise<Port> {
    return this.#call('createPort', actor, () => {
      const known = this.stored.get(this.#made.get(key) ?? '');
      if (known) return known;
      const [asked] = port.addresses ?? [];
      const isTaken = [...this.stored.values()].some(
        ({ networkId, addresses }) =>
          networkId === port.networkId &&
          addresses.some(({ address }) => address === asked?.address),
      );
      if (isTaken) throw refusal(409, `The IP address ${asked?.address ?? ''} is in use.`);
      const made = this.#store(port, asked ? { addresses: this.#addresses(port, asked) } : {});
      this.#made.set(key, made.id);
      return made;
    });
  }

  bindPort(actor: Actor, id: string, binding: PortBinding): Promise<Port> {
    const { dnsName, bindingProfile = {}, ...plugged } = binding;
    return this.#change('bindPort', actor, id, {
      ...plugged,
      bindingProfile,
      vif: this.vif,
      status: 'ACTIVE',
      ...(dnsName === undefined ? {} : { dnsName }),
    });
  }

  changePort(actor: Actor, id: string, change: PortChange): Promise<Port> {
    const { securityGroupIds, addresses } = change;
    const port = this.stored.get(id);
    return this.#change('changePort', actor, id, {
      ...(securityGroupIds ? { securityGroupIds } : {}),
      ...(addresses && port
        ? { addresses: addresses.flatMap((one) => this.#addresses(port, one)) }
        : {}),
    });
  }

  freePort(actor: Actor, id: string): Promise<void> {
    const unbound = { deviceId: '', deviceOwner: '', hostId: '', dnsName: '', bindingProfile: {} };
    const vif = { type: 'unbound', details: {} };
    return this.#call('freePort', actor, () => {
      const port = this.stored.get(id);
      if (port) this.stored.set(id, { ...port, ...unbound, vif, status: 'DOWN' });
    });
  }

  deletePort(actor: Actor, id: string): Promise<void> {
    return this.#call('deletePort', actor, () => void this.stored.delete(id));
  }

  #change(method: string, actor: Actor, id: string, change: Partial<Port>): Promise<Port> {
    return this.#call(method, actor, () => {
      const port = this.stored.get(id);
      if (!port) throw refusal(404, `Port ${id} could not be found.`);
      const changed = { ...port, ...change };
      this.stored.set(id, changed);
      return changed;
    });
  }

  #store(port: NewPort, more: Partial<Port>): Port {
    if (!this.#networks.has(port.networkId))
      throw refusal(404, `Network ${port.networkId} could not be found.`);
    const id = more.id ?? randomUUID();
    const own = [...this.#groups.values()].find(
      ({ name, projectId }) => name === 'default' && projectId === port.projectId,
    );
    const bytes = [0, 2, 4].map((at) => id.slice(at, at + 2));
    const made: Port = {
      id,
      projectId: port.projectId ?? '',
      networkId: port.networkId,
      status: 'DOWN',
      macAddress: ['fa', '16', '3e', ...bytes].join(':'),
      dnsName: '',
      isSecured: true,
      revision: 1,
      name: '',
      isEnabled: true,
      qosPolicyId: null,
      addresses: this.#addresses(port, {}),
      securityGroupIds: port.securityGroupIds ?? (own ? [own.id] : []),
      deviceId: port.deviceId ?? '',
      deviceOwner: port.deviceOwner ?? '',
      hostId: '',
      vif: { type: 'unbound', details: {} },
      bindingProfile: {},
      ...more,
    };
    this.stored.set(id, made);
    return made;
  }

  /** The next free address, unless one is named. */
  #addresses(
    { networkId }: { readonly networkId: string },
    { subnetId, address }: Partial<Port['addresses'][number]>,
  ): Port['addresses'] {
    const subnet = [...this.#subnets.values()].find(
      (one) => one.networkId === networkId && (subnetId === undefined || one.id === subnetId),
    );
    if (!subnet) return [];
    if (address !== undefined) return [{ subnetId: subnet.id, address }];
    const base = subnet.cidr.split('/')[0]?.replace(/0$/, '') ?? '';
    const taken = [...this.stored.values()].flatMap((port) =>
      port.networkId === networkId ? port.addresses.map((one) => one.address) : [],
    );
    let last = 2;
    while (taken.includes(`${base}${last}`)) last += 1;
    return [{ subnetId: subnet.id, address: `${base}${last}` }];
  }

  #topology(): string {
    if (this.topology !== undefined) return this.topology;
    throw refusal(409, 'Deployment error: no default external network.');
  }

  // oxlint-disable-next-line typescript/require-await -- as the real client answers
  async #call<T>(method: string, { as }: Actor, work: () => T): Promise<T> {
    this.asked.push(`${method} as ${as}`);
    const at = this.failures.findIndex((one) => one.method === method);
    const [failure] = at < 0 ? [] : this.failures.splice(at, 1);
    if (!failure) return work();
    if (failure.afterwards) work();
    throw failure.error;
  }
}

/** The error of a client while the service is down. */
export const awayError = (): Error => new ServiceUnavailableError('network', 'test');

function matching<T>(
  all: readonly T[],
  filter: Filter,
  wire: (one: T) => Readonly<Record<string, string | readonly string[]>>,
): T[] {
  return all.filter((one) => {
    const shown = wire(one);
    return Object.entries(filter).every(([name, values]) => {
      const value = shown[name];
      if (value === undefined) throw new Error(`the test's network service has no filter ${name}`);
      return [value].flat().some((each) => [values].flat().includes(each));
    });
  });
}
