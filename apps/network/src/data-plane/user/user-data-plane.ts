/**
 * A data plane for hosts without root: compute gives each guest a network card on a user-mode network
 * of its own QEMU, with the MAC and the address of its port. Nothing reaches a guest there, and it
 * reaches nothing but what compute forwards by name.
 *
 * No packet passes here, so the driver keeps no more than what it was told: in files, so that it is
 * there after a restart, and the same in each process of the host. A port is up once it is bound,
 * since nothing that could fail comes between it and its QEMU.
 */
import { join } from 'node:path';
import {
  BalancerNotPossibleError,
  NetworkHasPortsError,
  NetworkNotThereError,
  PortNotPossibleError,
  SecurityGroupNotThereError,
} from '../data-plane.errors.js';
import type { BalancerHealth } from '../balancer-spec.js';
import type {
  DataPlane,
  HostStatus,
  Inventory,
  NetworkSpec,
  PortSpec,
  PortStatus,
  RouterSpec,
  SecurityGroupSpec,
  Vif,
} from '../data-plane.js';
import { RecordFolder } from './record-folder.js';
import { whyNotCarried } from './why-not-carried.js';

type Port = Pick<PortSpec, 'networkId' | 'host' | 'adminStateUp'>;

interface Records {
  readonly networks: RecordFolder<NetworkSpec>;
  readonly ports: RecordFolder<Port>;
  readonly securityGroups: RecordFolder<Record<string, never>>;
  /** The ids of their networks. */
  readonly routers: RecordFolder<readonly string[]>;
}

export class UserDataPlane implements DataPlane {
  readonly vif: Vif = { type: 'user', details: { connectivity: 'none', port_filter: false } };
  readonly #listeners = new Set<(status: PortStatus) => void>();

  private constructor(
    private readonly records: Records,
    private readonly host: string,
  ) {}

  /**
   * @param folder is made where it is missing
   * @param host the name of this one
   */
  static async open(folder: string, host = 'here'): Promise<UserDataPlane> {
    const open = <T>(name: string): Promise<RecordFolder<T>> =>
      RecordFolder.open<T>(join(folder, name));
    const records = {
      networks: await open<NetworkSpec>('networks'),
      ports: await open<Port>('ports'),
      securityGroups: await open<Record<string, never>>('security-groups'),
      routers: await open<readonly string[]>('routers'),
    };
    return new UserDataPlane(records, host);
  }

  async ensureNetwork(network: NetworkSpec): Promise<void> {
    await this.records.networks.put(network.id, network);
  }

  async removeNetwork(id: string): Promise<void> {
    const ports = await this.records.ports.all();
    const routers = await this.records.routers.all();
    const hasPorts = [...ports.values()].some(({ networkId }) => networkId === id);
    if (hasPorts || [...routers.values()].some((networkIds) => networkIds.includes(id)))
      throw new NetworkHasPortsError(id);
    await this.records.networks.remove(id);
  }

  async ensurePort(port: PortSpec): Promise<PortStatus> {
    const { id, networkId, host, adminStateUp } = port;
    const network = await this.records.networks.get(networkId);
    if (network === undefined) throw new NetworkNotThereError(networkId);
    for (const group of port.securityGroups)
      if ((await this.records.securityGroups.get(group)) === undefined)
        throw new SecurityGroupNotThereError(group);
    const isCarriedAtAll = host !== null || port.parent !== null;
    const why = isCarriedAtAll ? whyNotCarried(port, network) : undefined;
    if (why !== undefined) throw new PortNotPossibleError(why);
    const before = await this.records.ports.get(id);
    const after = { networkId, host, adminStateUp };
    await this.records.ports.put(id, after);
    const isUp = isCarried(after, network);
    if ((before !== undefined && isCarried(before, network)) !== isUp)
      for (const listener of this.#listeners) listener({ id, isUp });
    return { id, isUp };
  }

  removePort(id: string): Promise<void> {
    return this.records.ports.remove(id);
  }

  ensureSecurityGroup({ id }: SecurityGroupSpec): Promise<void> {
    return this.records.securityGroups.put(id, {});
  }

  removeSecurityGroup(id: string): Promise<void> {
    return this.records.securityGroups.remove(id);
  }

  async ensureRouter({ id, interfaces, gateways }: RouterSpec): Promise<void> {
    const ports = [...interfaces, ...gateways];
    for (const { networkId } of ports)
      if ((await this.records.networks.get(networkId)) === undefined)
        throw new NetworkNotThereError(networkId);
    for (const { portId } of ports) await this.records.ports.remove(portId);
    await this.records.routers.put(
      id,
      ports.map(({ networkId }) => networkId),
    );
  }

  removeRouter(id: string): Promise<void> {
    return this.records.routers.remove(id);
  }

  ensureBalancer(): Promise<void> {
    return Promise.reject(new BalancerNotPossibleError());
  }

  /** There is none. */
  removeBalancer(): Promise<void> {
    return Promise.resolve();
  }

  balancerHealth(): Promise<BalancerHealth> {
    return Promise.resolve(new Map());
  }

  async inventory(): Promise<Inventory> {
    const networks = await this.records.networks.all();
    const ports = await this.records.ports.all();
    return {
      networks: [...networks.keys()],
      securityGroups: await this.records.securityGroups.ids(),
      ports: [...ports].map(([id, port]) => ({
        id,
        isUp: isCarried(port, networks.get(port.networkId)),
      })),
      routers: await this.records.routers.ids(),
      balancers: [],
    };
  }

  /** The one on which it runs: all is in its files. */
  hosts(): Promise<readonly HostStatus[]> {
    const [seenAt, availabilityZones] = [new Date(), ['nova']];
    const agent = { agentType: 'User-mode network agent', binary: 'network' };
    const none = { isGateway: false, bridgeMappings: {}, networkNamespace: null };
    return Promise.resolve([
      { host: this.host, ...agent, seenAt, availabilityZones, datapathType: 'user', ...none },
    ]);
  }

  /** It lives. */
  forgetHost(): Promise<void> {
    return Promise.resolve();
  }

  /** What other processes tell of, they follow up themselves. */
  watch(listener: (status: PortStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

function isCarried({ host, adminStateUp }: Port, network: NetworkSpec | undefined): boolean {
  return host !== null && adminStateUp && network?.adminStateUp === true;
}
