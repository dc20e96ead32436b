/**
 * A data plane for hosts without root: compute gives each guest a NIC on its QEMU's user-mode
 * network, with the MAC and address of its port. Guests cannot be reached there, except for ports
 * that compute forwards, and cannot reach anything.
 *
 * The driver only stores specs, in files that survive restarts and that all processes of the host
 * share. A port is up once it is bound, since nothing stands between it and its QEMU that could
 * fail.
 */
import { join } from 'node:path';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { writeDurably } from '@cumulet/common/files/durable-file';
import { contains, isLoopback, parseCidr, parseIp } from '@cumulet/common/addresses/ip-address';
import { findProgram } from '@cumulet/common/programs/find-program';
import { runProgram } from '@cumulet/common/programs/run-program';
import {
  BalancerNotPossibleError,
  NetworkHasPortsError,
  NetworkNotThereError,
  PortNotPossibleError,
  SecurityGroupNotThereError,
  SubnetNotThereError,
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

type Port = Pick<PortSpec, 'networkId' | 'host' | 'adminStateUp'>;

interface Records {
  readonly networks: RecordFolder<NetworkSpec>;
  readonly ports: RecordFolder<Port>;
  readonly securityGroups: RecordFolder<Record<string, never>>;
  /** Network IDs by router. */
  readonly routers: RecordFolder<readonly string[]>;
}

export class UserDataPlane implements DataPlane {
  readonly vif: Vif = { type: 'user', details: { connectivity: 'none', port_filter: false } };
  readonly #listeners = new Set<(status: PortStatus) => void>();

  private constructor(
    private readonly records: Records,
    private readonly host: string,
  ) {}

  /** @param folder created if it does not exist @param host the name of this one */
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

  /** Only this host, since the files are local. */
  hosts(): Promise<readonly HostStatus[]> {
    const [seenAt, availabilityZones] = [new Date(), ['nova']];
    const agent = { agentType: 'User-mode network agent', binary: 'network' };
    const none = { isGateway: false, bridgeMappings: {}, networkNamespace: null };
    return Promise.resolve([
      { host: this.host, ...agent, seenAt, availabilityZones, datapathType: 'user', ...none },
    ]);
  }

  forgetHost(): Promise<void> {
    return Promise.resolve();
  }

  /** Other processes follow up their own changes. */
  watch(listener: (status: PortStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

function isCarried({ host, adminStateUp }: Port, network: NetworkSpec | undefined): boolean {
  return host !== null && adminStateUp && network?.adminStateUp === true;
}

const SUFFIX = '.json';

/**
 * Records by ID, a JSON file for each. Processes of one host share the folder: writes are atomic,
 * and the last one wins.
 */
class RecordFolder<T> {
  private constructor(private readonly folder: string) {}

  /** Creates the folder if it does not exist, and removes the remains of interrupted writes. */
  static async open<T>(folder: string): Promise<RecordFolder<T>> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const file of await readdir(folder))
      if (!file.endsWith(SUFFIX)) await rm(join(folder, file), { force: true });
    return new RecordFolder<T>(folder);
  }

  async get(id: string): Promise<T | undefined> {
    try {
      return JSON.parse(await readFile(this.pathOf(id), 'utf8')) as T;
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  put(id: string, record: T): Promise<void> {
    return writeDurably(this.pathOf(id), JSON.stringify(record));
  }

  remove(id: string): Promise<void> {
    return rm(this.pathOf(id), { force: true });
  }

  async ids(): Promise<string[]> {
    const files = await readdir(this.folder);
    return files
      .filter((file) => file.endsWith(SUFFIX))
      .map((file) => file.slice(0, -SUFFIX.length));
  }

  async all(): Promise<Map<string, T>> {
    const found = new Map<string, T>();
    for (const id of await this.ids()) {
      const record = await this.get(id);
      if (record !== undefined) found.set(id, record);
    }
    return found;
  }

  private pathOf(id: string): string {
    return join(this.folder, `${id}${SUFFIX}`);
  }
}

// Limits of QEMU's user-mode network. Its DHCP is always on and offers one IPv4 address, and the
// network needs an address for itself. Public source: QEMU manual, "Network options", `-netdev
// user`.

/** The network itself needs an address beside the guest's, which a /31 does not have. */
const LONGEST_PREFIX = 30;
/** QEMU refuses shorter ones. */
const SHORTEST_PREFIX = 4;

/**
 * @returns the reason, as the end of a sentence; undefined if it can carry the port
 * @throws SubnetNotThereError if the port's subnet is not in the stored network yet
 */
function whyNotCarried(
  { addresses, dhcpOptions, parent, namespace }: PortSpec,
  { subnets }: NetworkSpec,
): string | undefined {
  if (namespace === 'own')
    return 'it requires a network namespace of its own, which only OVN provides';
  if (namespace === 'host') return whyNotHere(addresses);
  if (parent !== null) return 'it is a subport, and user-mode networks have no trunks';
  const [own, ...others] = addresses;
  if (own === undefined) return 'it has no address, but DHCP would assign one';
  if (others.length > 0) return `it has ${addresses.length} addresses, but DHCP assigns only one`;
  const [option] = dhcpOptions;
  if (option) return `DHCP does not support the option ${option.name}`;
  const subnet = subnets.find(({ id }) => id === own.subnetId);
  if (subnet === undefined) throw new SubnetNotThereError(own.subnetId);
  const [cidr, address] = [parseCidr(subnet.cidr), parseIp(own.address)];
  if (!cidr || !address || !contains(cidr, address))
    return `${own.address} is not in ${subnet.cidr}`;
  if (cidr.version !== 4) return `${own.address} is not an IPv4 address`;
  if (!subnet.enableDhcp)
    return `its subnet ${subnet.cidr} has no DHCP, which cannot be switched off`;
  if (cidr.prefix > LONGEST_PREFIX)
    return `${subnet.cidr} has no address for the network itself besides ${own.address}`;
  if (cidr.prefix < SHORTEST_PREFIX) return `${subnet.cidr} is larger than a /${SHORTEST_PREFIX}`;
  return undefined;
}

/** A port of a local program needs no NIC: the machine has these addresses anyway. */
function whyNotHere(addresses: PortSpec['addresses']): string | undefined {
  const other = addresses.find(({ address }) => !isLoopback(address));
  return other && `${other.address} is not one of the machine's own addresses`;
}

const QEMU = 'qemu-system-x86_64';
const TIMEOUT_MS = 20_000;

/**
 * Checks whether this host's QEMU supports user-mode networks.
 * @param searchPath folders separated by colons, as in `PATH`
 * @returns the reason if it does not
 */
export async function whyNoUserNetwork(searchPath: string): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'real guests need Linux';
  const qemu = await findProgram(QEMU, searchPath);
  if (qemu === undefined) return `${QEMU} not found on PATH`;
  const args = ['-machine', 'none', '-netdev', 'help'];
  const { stdout } = await runProgram(qemu, args, { timeoutMs: TIMEOUT_MS });
  return /^user$/m.test(stdout.toString())
    ? undefined
    : `${qemu} was built without user-mode networks`;
}
