/** What the network service has, in tests without one. It is seen as Neutron shows it: by project. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '@cumulet/clients/http/actor';
import type {
  Network,
  NetworkAgent,
  Port,
  SecurityGroup,
  Subnet,
} from '@cumulet/clients/network/network-wire';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Networks } from './networks.port.js';

/** Whose it is; everybody's without one. */
interface Owned {
  readonly projectId?: string | undefined;
}

type Kind = 'network' | 'subnet' | 'port' | 'group' | 'policy';

interface Kept extends Owned {
  readonly id: string;
  readonly kind: Kind;
  readonly value: object;
}

type Filter = Readonly<Record<string, string | readonly string[]>>;

type Read = Pick<
  Networks,
  'agents' | 'network' | 'subnets' | 'port' | 'securityGroups' | 'hasQosPolicy'
>;

export class FakeNetworks implements Read {
  readonly #kept: Kept[] = [];
  /** A subnet that everybody may use: 203.0.113.0/24. */
  readonly subnet = this.addSubnet({});

  addNetwork({ isExternal = false, ...owner }: Owned & { isExternal?: boolean } = {}): Network {
    const id = randomUUID();
    const flags = { status: 'ACTIVE', mtu: 1500, isShared: false, isExternal };
    const value = { id, projectId: owner.projectId ?? 'nobody', name: '', ...flags, subnetIds: [] };
    return this.#keep('network', owner, value);
  }

  addSubnet(given: Owned & Partial<Pick<Subnet, 'networkId' | 'cidr' | 'ipVersion'>>): Subnet {
    const { projectId, networkId = this.addNetwork({ projectId }).id } = given;
    const { cidr = '203.0.113.0/24', ipVersion = 4 } = given;
    const rest = { gatewayIp: null, hasDhcp: true, dnsNameservers: [], hostRoutes: [] };
    const id = randomUUID();
    const value = { id, networkId, cidr, ipVersion, ...rest, ipv6AddressMode: null };
    return this.#keep('subnet', { projectId }, value);
  }

  addPort(given: Owned & Pick<Port, 'addresses' | 'networkId'> & { deviceId?: string }): Port {
    const { projectId = 'nobody', addresses, networkId, deviceId = '' } = given;
    const value = { id: randomUUID(), projectId, networkId, addresses, deviceId };
    const rest = { status: 'DOWN', macAddress: '', securityGroupIds: [], isSecured: true };
    const unknown = { hostId: undefined, vif: undefined, bindingProfile: undefined };
    const plain = { revision: 0, name: '', isEnabled: true, qosPolicyId: null };
    return this.#keep('port', given, {
      ...plain,
      ...value,
      ...rest,
      ...unknown,
      deviceOwner: '',
      dnsName: '',
    });
  }

  addGroup(owner: Owned): SecurityGroup {
    const value = { id: randomUUID(), projectId: owner.projectId ?? '', name: '', description: '' };
    return this.#keep('group', owner, { ...value, rules: [] });
  }

  addPolicy(owner: Owned): { readonly id: string } {
    return this.#keep('policy', owner, { id: randomUUID() });
  }

  agents(): Promise<NetworkAgent[]> {
    return Promise.resolve([]);
  }

  network(actor: Actor, id: string): Promise<Network | undefined> {
    return Promise.resolve(this.#seen<Network>('network', actor).find((one) => one.id === id));
  }

  subnets(actor: Actor, filter: Filter): Promise<Subnet[]> {
    const { id, network_id: networkId } = filter;
    const found = this.#seen<Subnet>('subnet', actor).filter(
      (one) =>
        (id === undefined || [id].flat().includes(one.id)) &&
        (networkId === undefined || one.networkId === networkId),
    );
    return Promise.resolve(found);
  }

  port(actor: Actor, id: string): Promise<Port | undefined> {
    return Promise.resolve(this.#seen<Port>('port', actor).find((one) => one.id === id));
  }

  securityGroups(actor: Actor, { id = [] }: Filter): Promise<SecurityGroup[]> {
    const groups = this.#seen<SecurityGroup>('group', actor);
    return Promise.resolve(groups.filter((one) => [id].flat().includes(one.id)));
  }

  hasQosPolicy(actor: Actor, id: string): Promise<boolean> {
    const policies = this.#seen<{ id: string }>('policy', actor);
    return Promise.resolve(policies.some((one) => one.id === id));
  }

  #keep<T extends { readonly id: string }>(kind: Kind, { projectId }: Owned, value: T): T {
    this.#kept.push({ id: value.id, kind, projectId, value });
    return value;
  }

  #seen<T>(kind: Kind, { origin }: Actor): T[] {
    const ctx = origin as RequestContext;
    const isAll = ctx.isAdmin || ctx.isService;
    return this.#kept
      .filter((one) => one.kind === kind)
      .filter(({ projectId }) => isAll || !projectId || projectId === ctx.fields.projectId)
      .map(({ value }) => value as T);
  }
}
