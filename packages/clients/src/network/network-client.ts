/** The network service, as its sisters use it. Public source: Networking API reference, v2. */
import { isUuid } from '@cumulet/common/context/ids';
import type { Actor } from '../http/actor.js';
import type { Credentials } from '../http/credentials.js';
import { SisterClient, type ServiceResponse } from '../http/service-client.js';
import {
  balancerFromWire,
  balancerToWire,
  type Balancer,
  type NewBalancer,
  type WireBalancer,
} from './balancer-wire.js';
import {
  agentFromWire,
  FLOATING_IP,
  NETWORK,
  PORT,
  portFromWire,
  RULE,
  SECURITY_GROUP,
  SUBNET,
  type FloatingIp,
  type Network,
  type NetworkAgent,
  type NewPort,
  type NewSecurityGroup,
  type NewSecurityGroupRule,
  type Port,
  type PortBinding,
  type PortChange,
  type SecurityGroup,
  type Subnet,
} from './network-wire.js';

export interface NetworkClientOptions {
  /** Without /v2.0. */
  readonly networkUrl: string;
  readonly credentials: Credentials;
}

const PORTS = '/v2.0/ports';
const GROUPS = '/v2.0/security-groups';
const RULES = '/v2.0/security-group-rules';
const PAGE = 500;
const OLDEST_FIRST = { sort_key: 'created_at', sort_dir: 'asc' } as const;
/** Filters of a list; one of several values must match. */
type Filter = Readonly<Record<string, string | readonly string[]>>;

export class NetworkClient extends SisterClient {
  constructor({ networkUrl: baseUrl, credentials }: NetworkClientOptions) {
    super({ service: 'network', baseUrl, credentials });
  }

  /** A network as the actor sees it; undefined if it sees none. */
  async network(actor: Actor, id: string): Promise<Network | undefined> {
    const path = `/v2.0/networks/${encodeURIComponent(id)}`;
    const found = await this.client.find({ actor, path });
    return found && NETWORK.read(partOf(found, 'network'));
  }

  /** Networks that the actor sees. */
  networks(actor: Actor, filter: Filter): Promise<Network[]> {
    return this.#list(actor, 'networks', filter, NETWORK.read);
  }

  /** The network of this id, or else all of this name. */
  networksOf(actor: Actor, idOrName: string): Promise<Network[]> {
    return byIdOrName(idOrName, (filter) => this.networks(actor, filter));
  }

  /** The subnet of this id, or else all of this name. */
  subnetsOf(actor: Actor, idOrName: string): Promise<Subnet[]> {
    return byIdOrName(idOrName, (filter) => this.subnets(actor, filter));
  }

  subnets(actor: Actor, filter: Filter): Promise<Subnet[]> {
    return this.#list(actor, 'subnets', filter, SUBNET.read);
  }

  securityGroups(actor: Actor, filter: Filter): Promise<SecurityGroup[]> {
    return this.#list(actor, 'security-groups', filter, SECURITY_GROUP.read);
  }

  /** @returns it with its default rules, which allow all egress */
  async createSecurityGroup(actor: Actor, group: NewSecurityGroup): Promise<SecurityGroup> {
    const json = { security_group: SECURITY_GROUP.write(group) };
    const created = await this.client.create({ actor, path: GROUPS, json });
    return SECURITY_GROUP.read(partOf(created, 'security_group'));
  }

  /** Creates all or none. @throws ServiceRefusedError 409 for a duplicate rule */
  async addRules(
    actor: Actor,
    projectId: string,
    rules: readonly NewSecurityGroupRule[],
  ): Promise<void> {
    if (rules.length === 0) return;
    const wire = rules.map((rule) => ({ project_id: projectId, ...RULE.write(rule) }));
    await this.client.create({ actor, path: RULES, json: { security_group_rules: wire } });
  }

  /** An absent one is not an error. */
  async deleteRule(actor: Actor, id: string): Promise<void> {
    const path = `${RULES}/${encodeURIComponent(id)}`;
    await this.client.find({ actor, method: 'DELETE', path });
  }

  /** An absent one is not an error. @throws ServiceRefusedError 409 while a port is in it */
  async deleteSecurityGroup(actor: Actor, id: string): Promise<void> {
    const path = `${GROUPS}/${encodeURIComponent(id)}`;
    await this.client.find({ actor, method: 'DELETE', path });
  }

  async hasQosPolicy(actor: Actor, id: string): Promise<boolean> {
    const path = `/v2.0/qos/policies/${encodeURIComponent(id)}`;
    return (await this.client.find({ actor, path })) !== undefined;
  }

  /** The agents of the data plane's hosts. */
  agents(actor: Actor): Promise<NetworkAgent[]> {
    return this.#list(actor, 'agents', {}, agentFromWire);
  }

  /** Floating IPs that the actor sees. */
  floatingIps(actor: Actor, filter: Filter): Promise<FloatingIp[]> {
    return this.#list(actor, 'floatingips', filter, FLOATING_IP.read);
  }

  /**
   * Associates a floating IP with an address of a port, or with none.
   * @throws ServiceRefusedError 409 if another one is associated with the address
   */
  async associateFloatingIp(
    actor: Actor,
    id: string,
    to: { readonly portId: string; readonly fixedAddress: string } | null,
  ): Promise<void> {
    const path = `/v2.0/floatingips/${encodeURIComponent(id)}`;
    const floatingip = to
      ? { port_id: to.portId, fixed_ip_address: to.fixedAddress }
      : { port_id: null };
    await this.client.send({ actor, method: 'PUT', path, json: { floatingip } });
  }

  /** An absent one is not an error. */
  async deleteFloatingIp(actor: Actor, id: string): Promise<void> {
    const path = `/v2.0/floatingips/${encodeURIComponent(id)}`;
    await this.client.find({ actor, method: 'DELETE', path });
  }

  /** The network namespace on a host in which its guests' devices are; undefined where it has none. */
  async namespaceOf(actor: Actor, host: string): Promise<string | undefined> {
    const agents = await this.#list(actor, 'agents', { host }, agentFromWire);
    return agents.map(({ namespace }) => namespace).find((name) => name !== null);
  }

  /** The free quota of ports; Infinity without a limit. */
  async freePorts(actor: Actor, projectId: string): Promise<number> {
    const path = `/v2.0/quotas/${encodeURIComponent(projectId)}/details`;
    const { body } = await this.client.send({ actor, path });
    const { quota } = body as { quota: { port: { limit: number; used: number } } };
    return quota.port.limit < 0 ? Infinity : quota.port.limit - quota.port.used;
  }

  /**
   * The network of a project that asks for any, created if missing.
   * @returns its ID
   * @throws ServiceRefusedError 409 if it cannot be created
   */
  async autoAllocated(actor: Actor, projectId: string): Promise<string> {
    const { body } = await this.client.send({ actor, path: topologyPath(projectId) });
    return (body as { auto_allocated_topology: { id: string } }).auto_allocated_topology.id;
  }

  /** @throws ServiceRefusedError 409 if `autoAllocated` would throw it */
  async checkAutoAllocation(actor: Actor, projectId: string): Promise<void> {
    const query = { fields: 'dry-run' };
    await this.client.send({ actor, path: topologyPath(projectId), query });
  }

  /** A port with its addresses; undefined if the actor sees none. */
  async port(actor: Actor, id: string): Promise<Port | undefined> {
    const found = await this.client.find({ actor, path: portPath(id) });
    return found && portOf(found);
  }

  /** All ports of a device, such as a server, that the actor sees: the oldest first. */
  async portsOf(actor: Actor, deviceId: string): Promise<Port[]> {
    const found: Port[] = [];
    for (;;) {
      const marker = found.at(-1)?.id;
      const query = { device_id: deviceId, limit: PAGE, marker, ...OLDEST_FIRST };
      const { body } = await this.client.send({ actor, path: PORTS, query });
      const { ports } = body as { ports: readonly unknown[] };
      found.push(...ports.map(portFromWire));
      if (ports.length < PAGE) return found;
    }
  }

  /**
   * @param idempotencyKey as in `CreateRequest`: the same key gets the same port
   * @throws ServiceRefusedError if the network, the address or the quota does not allow it
   */
  async createPort(actor: Actor, port: NewPort, idempotencyKey: string): Promise<Port> {
    const json = { port: PORT.write(port) };
    return portOf(await this.client.create({ actor, path: PORTS, json, idempotencyKey }));
  }

  /**
   * Binds a port to a device on a host, which brings it up.
   * @throws ServiceRefusedError if there is no such port, or another device has it
   */
  async bindPort(actor: Actor, id: string, binding: PortBinding): Promise<Port> {
    const json = { port: PORT.write(binding) };
    return portOf(await this.client.send({ actor, method: 'PUT', path: portPath(id), json }));
  }

  /**
   * Lists, such as the addresses, are replaced as a whole.
   * @param revision changes the port only at this revision
   * @throws ServiceRefusedError 412 at another revision
   */
  async changePort(actor: Actor, id: string, change: PortChange, revision?: number): Promise<Port> {
    const json = { port: PORT.write(change) };
    const headers = revision === undefined ? {} : { 'if-match': `revision_number=${revision}` };
    const path = portPath(id);
    return portOf(await this.client.send({ actor, method: 'PUT', path, json, headers }));
  }

  /** The ports that the actor sees. */
  ports(actor: Actor, filter: Filter): Promise<Port[]> {
    return this.#list(actor, 'ports', filter, portFromWire);
  }

  /** Unplugs it from its device and host; it keeps its addresses. An absent one is not an error. */
  async freePort(actor: Actor, id: string): Promise<void> {
    const nothing = { deviceId: '', deviceOwner: '', hostId: '', dnsName: '', bindingProfile: {} };
    const json = { port: PORT.write(nothing) };
    await this.client.find({ actor, method: 'PUT', path: portPath(id), json });
  }

  /** An absent one is not an error. */
  async deletePort(actor: Actor, id: string): Promise<void> {
    await this.client.find({ actor, method: 'DELETE', path: portPath(id) });
  }

  /** Load balancers of the data plane. */
  balancers(actor: Actor): Promise<Balancer[]> {
    return this.#list(actor, 'balancers', {}, (one) => balancerFromWire(one as WireBalancer));
  }

  /** Undefined if there is none. */
  async balancer(actor: Actor, id: string): Promise<Balancer | undefined> {
    const found = await this.client.find({ actor, path: balancerPath(id) });
    return found && balancerFromWire((found.body as { balancer: WireBalancer }).balancer);
  }

  /** Creates or replaces it. @throws ServiceRefusedError 409 while one of this id is being removed */
  async putBalancer(actor: Actor, balancer: NewBalancer): Promise<Balancer> {
    const [path, json] = [balancerPath(balancer.id), { balancer: balancerToWire(balancer) }];
    const { body } = await this.client.send({ actor, method: 'PUT', path, json });
    return balancerFromWire((body as { balancer: WireBalancer }).balancer);
  }

  /** An absent one is not an error. */
  async deleteBalancer(actor: Actor, id: string): Promise<void> {
    await this.client.find({ actor, method: 'DELETE', path: balancerPath(id) });
  }

  async #list<T>(
    actor: Actor,
    collection: string,
    filter: Filter,
    read: (one: unknown) => T,
  ): Promise<T[]> {
    const query = new URLSearchParams(
      Object.entries(filter).flatMap(([name, values]) =>
        [values].flat().map((value): [string, string] => [name, value]),
      ),
    );
    const path = `/v2.0/${collection}?${query.toString()}`;
    const { body } = await this.client.send({ actor, path });
    const key = collection.replaceAll('-', '_');
    return ((body as Record<string, readonly unknown[]>)[key] ?? []).map((one) => read(one));
  }
}

async function byIdOrName<One>(
  idOrName: string,
  list: (filter: Filter) => Promise<One[]>,
): Promise<One[]> {
  const found = isUuid(idOrName) ? await list({ id: idOrName }) : [];
  return found.length > 0 ? found : list({ name: idOrName });
}

function topologyPath(projectId: string): string {
  return `/v2.0/auto-allocated-topology/${encodeURIComponent(projectId)}`;
}

function balancerPath(id: string): string {
  return `/v2.0/balancers/${encodeURIComponent(id)}`;
}

function portPath(id: string): string {
  return `${PORTS}/${encodeURIComponent(id)}`;
}

function portOf(response: ServiceResponse): Port {
  return portFromWire(partOf(response, 'port'));
}

function partOf({ body }: ServiceResponse, key: string): unknown {
  return (body as Readonly<Record<string, unknown>>)[key];
}
