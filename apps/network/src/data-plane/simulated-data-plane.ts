/**
 * A data plane that carries no packets: it keeps specs in memory, and every port with a host is up.
 * After a restart, the comparison of rows and data plane fills it again.
 */
import {
  NetworkHasPortsError,
  NetworkNotThereError,
  SecurityGroupNotThereError,
} from './data-plane.errors.js';
import type { BalancerHealth, BalancerSpec, CheckResult } from './balancer-spec.js';
import {
  SWITCHED,
  type DataPlane,
  type HostStatus,
  type Inventory,
  type NetworkSpec,
  type PortSpec,
  type PortStatus,
  type RouterPortSpec,
  type RouterSpec,
  type SecurityGroupSpec,
} from './data-plane.js';

export class SimulatedDataPlane implements DataPlane {
  readonly vif = SWITCHED;
  readonly networks = new Map<string, NetworkSpec>();
  readonly ports = new Map<string, PortSpec>();
  readonly securityGroups = new Map<string, SecurityGroupSpec>();
  readonly routers = new Map<string, RouterSpec>();
  readonly balancers = new Map<string, BalancerSpec>();
  /** Overrides the check results of members, by ID. */
  readonly checkResults = new Map<string, CheckResult>();
  /** Simulated hosts; by default, only this one. */
  readonly simulatedHosts = new Map<string, Partial<HostStatus>>();
  readonly #listeners = new Set<(status: PortStatus) => void>();

  constructor(host = 'simulated') {
    this.simulatedHosts.set(host, {});
  }

  ensureNetwork(network: NetworkSpec): Promise<void> {
    this.networks.set(network.id, network);
    return Promise.resolve();
  }

  removeNetwork(id: string): Promise<void> {
    const routerPorts = [...this.routers.values()].flatMap(portsOf);
    const users = [...this.ports.values(), ...routerPorts, ...this.balancers.values()];
    const hasPorts = users.some((one) => one.networkId === id);
    if (hasPorts) return Promise.reject(new NetworkHasPortsError(id));
    this.networks.delete(id);
    return Promise.resolve();
  }

  ensurePort(port: PortSpec): Promise<PortStatus> {
    if (!this.networks.has(port.networkId))
      return Promise.reject(new NetworkNotThereError(port.networkId));
    const missing = port.securityGroups.find((id) => !this.securityGroups.has(id));
    if (missing !== undefined) return Promise.reject(new SecurityGroupNotThereError(missing));
    const before = this.ports.get(port.id);
    this.ports.set(port.id, port);
    const status = this.statusOf(port);
    const isNew = (before !== undefined && this.statusOf(before).isUp) !== status.isUp;
    if (isNew) this.report(status);
    if (before?.host !== port.host)
      for (const one of this.ports.values())
        if (one.parent?.portId === port.id) this.report(this.statusOf(one));
    return Promise.resolve(status);
  }

  report(status: PortStatus): void {
    for (const listener of this.#listeners) listener(status);
  }

  removePort(id: string): Promise<void> {
    this.ports.delete(id);
    return Promise.resolve();
  }

  ensureSecurityGroup(group: SecurityGroupSpec): Promise<void> {
    this.securityGroups.set(group.id, group);
    return Promise.resolve();
  }

  removeSecurityGroup(id: string): Promise<void> {
    this.securityGroups.delete(id);
    return Promise.resolve();
  }

  ensureRouter(router: RouterSpec): Promise<void> {
    const missing = portsOf(router).find(({ networkId }) => !this.networks.has(networkId));
    if (missing) return Promise.reject(new NetworkNotThereError(missing.networkId));
    for (const { portId } of portsOf(router)) this.ports.delete(portId);
    this.routers.set(router.id, router);
    return Promise.resolve();
  }

  removeRouter(id: string): Promise<void> {
    this.routers.delete(id);
    return Promise.resolve();
  }

  ensureBalancer(balancer: BalancerSpec): Promise<void> {
    const { id, networkId } = balancer;
    if (!this.networks.has(networkId)) return Promise.reject(new NetworkNotThereError(networkId));
    this.balancers.set(id, balancer);
    return Promise.resolve();
  }

  removeBalancer(id: string): Promise<void> {
    this.balancers.delete(id);
    return Promise.resolve();
  }

  balancerHealth(): Promise<BalancerHealth> {
    const resultsOf = ({ listeners }: BalancerSpec): Map<string, CheckResult> =>
      new Map(
        listeners
          .filter(({ check }) => check !== null)
          .flatMap(({ members }) => members)
          .filter(({ checkedFrom }) => checkedFrom !== null)
          .map(({ id }) => [id, this.checkResults.get(id) ?? 'online']),
      );
    return Promise.resolve(
      new Map([...this.balancers].map(([id, balancer]) => [id, resultsOf(balancer)])),
    );
  }

  hosts(): Promise<readonly HostStatus[]> {
    const [seenAt, availabilityZones] = [new Date(), ['nova']];
    const agent = { agentType: 'Simulated data plane', binary: 'network' };
    const common = { seenAt, availabilityZones, isGateway: false, bridgeMappings: {} };
    const hosts = [...this.simulatedHosts].map(([host, changes]) => ({
      host,
      ...agent,
      ...common,
      datapathType: 'simulated',
      networkNamespace: null,
      ...changes,
    }));
    return Promise.resolve(hosts);
  }

  forgetHost(): Promise<void> {
    return Promise.resolve();
  }

  watch(listener: (status: PortStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  inventory(): Promise<Inventory> {
    return Promise.resolve({
      networks: [...this.networks.keys()],
      securityGroups: [...this.securityGroups.keys()],
      ports: [...this.ports.values()].map((port) => this.statusOf(port)),
      routers: [...this.routers.keys()],
      balancers: [...this.balancers.keys()],
    });
  }

  private statusOf({ id, host, parent, adminStateUp, networkId }: PortSpec): PortStatus {
    const isOn = adminStateUp && this.networks.get(networkId)?.adminStateUp === true;
    const carrier = parent === null ? host : (this.ports.get(parent.portId)?.host ?? null);
    return { id, isUp: carrier !== null && isOn };
  }
}

function portsOf({ interfaces, gateways }: RouterSpec): RouterPortSpec[] {
  return [...interfaces, ...gateways];
}
