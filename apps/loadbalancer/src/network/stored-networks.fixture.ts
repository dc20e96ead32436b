/** A network service of a test, in memory: what it was asked as whom, and what it holds. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '@cumulet/clients/http/actor';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type {
  Network,
  NetworkAgent,
  NewPort,
  NewSecurityGroup,
  NewSecurityGroupRule,
  Port,
  PortChange,
  SecurityGroup,
  Subnet,
} from '@cumulet/clients/network/network-wire';
import { formatIp, parseCidr } from '@cumulet/common/addresses/ip-address';
import type { Networks } from './networks.port.js';

type Filter = Readonly<Record<string, string | readonly string[]>>;

export class StoredNetworks implements Networks {
  readonly networksThere = new Map<string, Network>();
  readonly subnetsThere = new Map<string, Subnet>();
  readonly portsThere = new Map<string, Port>();
  readonly groupsThere = new Map<string, SecurityGroup>();
  readonly policies = new Set<string>();
  agentsThere: NetworkAgent[] = [
    { host: 'here', isAlive: true, datapathType: 'netdev', namespace: 'cumulet-1' },
  ];
  /** Of a port that is bound, until it is `ACTIVE`. */
  boundStatus = 'ACTIVE';
  /** Thrown by the next creations of a port, one each; the port may have been made. */
  readonly lostAnswers: Error[] = [];
  readonly #answers = new Map<string, string>();

  addNetwork(projectId: string, changes: Partial<Network> = {}): Network {
    const network: Network = {
      id: randomUUID(),
      projectId,
      name: 'net',
      status: 'ACTIVE',
      mtu: 1442,
      isShared: false,
      isExternal: false,
      subnetIds: [],
      ...changes,
    };
    this.networksThere.set(network.id, network);
    return network;
  }

  addSubnet(
    { id: networkId }: Pick<Network, 'id'>,
    cidr: string,
    gatewayIp: string | null = null,
  ): Subnet {
    const ipVersion = cidr.includes(':') ? 6 : 4;
    const subnet: Subnet = {
      id: randomUUID(),
      networkId,
      ipVersion,
      cidr,
      gatewayIp,
      hasDhcp: true,
      dnsNameservers: [],
      hostRoutes: [],
      ipv6AddressMode: null,
    };
    this.subnetsThere.set(subnet.id, subnet);
    const network = this.networksThere.get(networkId);
    if (network)
      this.networksThere.set(networkId, {
        ...network,
        subnetIds: [...network.subnetIds, subnet.id],
      });
    return subnet;
  }

  addPort(port: NewPort): Port {
    const id = randomUUID();
    const made: Port = {
      id,
      revision: 1,
      name: port.name ?? '',
      projectId: port.projectId ?? '',
      networkId: port.networkId,
      status: 'DOWN',
      macAddress: 'fa:16:3e:00:00:01',
      addresses: this.#addressesOf(port),
      securityGroupIds: ['default'],
      isSecured: true,
      isEnabled: true,
      dnsName: '',
      qosPolicyId: port.qosPolicyId ?? null,
      hostId: '',
      bindingProfile: {},
      deviceId: port.deviceId ?? '',
      deviceOwner: port.deviceOwner ?? '',
      vif: { type: 'unbound', details: {} },
    };
    this.portsThere.set(id, made);
    return made;
  }

  network(_: Actor, id: string): Promise<Network | undefined> {
    return Promise.resolve(this.networksThere.get(id));
  }

  subnets(_: Actor, filter: Filter): Promise<Subnet[]> {
    return Promise.resolve(
      [...this.subnetsThere.values()].filter(
        ({ id, networkId }) => holds(filter['id'], id) && holds(filter['network_id'], networkId),
      ),
    );
  }

  port(_: Actor, id: string): Promise<Port | undefined> {
    return Promise.resolve(this.portsThere.get(id));
  }

  createPort(_: Actor, port: NewPort, key: string): Promise<Port> {
    const known = this.portsThere.get(this.#answers.get(key) ?? '');
    const made = known ?? this.addPort(port);
    this.#answers.set(key, made.id);
    const lost = this.lostAnswers.shift();
    return lost ? Promise.reject(lost) : Promise.resolve(made);
  }

  changePort(_: Actor, id: string, change: PortChange, revision?: number): Promise<Port> {
    const port = this.portsThere.get(id);
    if (!port) return Promise.reject(refused(404, `Port ${id} could not be found.`));
    if (revision !== undefined && revision !== port.revision)
      return Promise.reject(refused(412, 'Constrained to another revision.'));
    const hostId = change.hostId ?? port.hostId;
    const isOwn = change.bindingProfile?.['network_namespace'] === 'own';
    const agent = this.agentsThere.find(({ host }) => host === hostId);
    const details = {
      ...(agent && { datapath_type: agent.datapathType }),
      ...(agent?.namespace != null && isOwn && { network_namespace: `${agent.namespace}.${id}` }),
    };
    const changed: Port = {
      ...port,
      revision: port.revision + 1,
      hostId,
      deviceId: change.deviceId ?? port.deviceId,
      deviceOwner: change.deviceOwner ?? port.deviceOwner,
      qosPolicyId: change.qosPolicyId === undefined ? port.qosPolicyId : change.qosPolicyId,
      securityGroupIds: change.securityGroupIds ?? port.securityGroupIds,
      bindingProfile: change.bindingProfile ?? port.bindingProfile,
      status: hostId === '' ? 'DOWN' : this.boundStatus,
      vif: hostId === '' ? { type: 'unbound', details: {} } : { type: 'ovs', details },
    };
    this.portsThere.set(id, changed);
    return Promise.resolve(changed);
  }

  deletePort(_: Actor, id: string): Promise<void> {
    this.portsThere.delete(id);
    return Promise.resolve();
  }

  agents(): Promise<NetworkAgent[]> {
    return Promise.resolve(this.agentsThere);
  }

  hasQosPolicy(_: Actor, id: string): Promise<boolean> {
    return Promise.resolve(this.policies.has(id));
  }

  securityGroups(_: Actor, filter: Filter): Promise<SecurityGroup[]> {
    return Promise.resolve(
      [...this.groupsThere.values()].filter(
        ({ id, name, projectId }) =>
          holds(filter['id'], id) &&
          holds(filter['name'], name) &&
          holds(filter['project_id'], projectId),
      ),
    );
  }

  createSecurityGroup(_: Actor, group: NewSecurityGroup): Promise<SecurityGroup> {
    const made = { id: randomUUID(), ...group, rules: [] };
    this.groupsThere.set(made.id, made);
    return Promise.resolve(made);
  }

  addRules(_: Actor, _projectId: string, rules: readonly NewSecurityGroupRule[]): Promise<void> {
    for (const rule of rules) {
      const group = this.groupsThere.get(rule.groupId);
      if (!group) return Promise.reject(refused(404, 'Security group could not be found.'));
      const own = [...group.rules, { id: randomUUID(), ...rule }];
      this.groupsThere.set(group.id, { ...group, rules: own });
    }
    return Promise.resolve();
  }

  deleteRule(_: Actor, id: string): Promise<void> {
    for (const group of this.groupsThere.values())
      this.groupsThere.set(group.id, {
        ...group,
        rules: group.rules.filter((one) => one.id !== id),
      });
    return Promise.resolve();
  }

  deleteSecurityGroup(_: Actor, id: string): Promise<void> {
    const isUsed = [...this.portsThere.values()].some((port) => port.securityGroupIds.includes(id));
    if (isUsed) return Promise.reject(refused(409, `Security Group ${id} in use.`));
    this.groupsThere.delete(id);
    return Promise.resolve();
  }

  /** The next of the subnet, unless one is named. */
  #addressesOf({ networkId, addresses }: NewPort): Port['addresses'] {
    const own = [...this.subnetsThere.values()].filter((one) => one.networkId === networkId);
    const asked: NonNullable<NewPort['addresses']> =
      addresses ?? own.slice(0, 1).map(({ id }) => ({ subnetId: id }));
    return asked.map(({ subnetId, address }) => {
      const subnet = own.find(({ id }) => id === subnetId);
      if (!subnet) throw refused(400, 'Failed to create port: invalid subnet.');
      return { subnetId: subnet.id, address: address ?? this.#next(subnet) };
    });
  }

  #next({ cidr }: Subnet): string {
    const range = parseCidr(cidr);
    if (!range) throw new Error(`${cidr} is no CIDR`);
    const taken = [...this.portsThere.values()].flatMap((port) => port.addresses).length;
    return formatIp({ version: range.version, value: range.first + 256n + BigInt(taken) });
  }
}

export function refused(status: number, message: string): ServiceRefusedError {
  return new ServiceRefusedError('network', status, message);
}

function holds(asked: string | readonly string[] | undefined, value: string): boolean {
  return asked === undefined || [asked].flat().includes(value);
}
