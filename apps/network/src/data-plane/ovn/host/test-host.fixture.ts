/** Hosts with a real OVN, and guests that are network namespaces. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@cumulet/testing/settle';
import { marks, word } from '../../../languages/ovsdb-text.js';
import { INTEGRATION_BRIDGE, type PortSpec } from '../../data-plane.js';
import { OvsdbClient } from '../../ovsdb/ovsdb-client.js';
import { OvnDataPlane } from '../ovn-data-plane.js';
import { derivedId, NORTHBOUND, NORTHBOUND_TABLES } from '../rows/northbound.js';
import { TestGuest } from './test-guest.fixture.js';
import { bridgeOf, type Tunnel } from './host-settings.js';
import { OvnChassis } from './ovn-chassis.js';
import { OvnHost } from './ovn-host.js';
import { findOvnPrograms, PROGRAM_ROOTS, type OvnPrograms } from './ovn-programs.js';
import type { UplinkAddresses } from './uplinks/uplink-settings.js';
import { planDevice, planPlug, planUnplug, SWITCH_DATABASE, SWITCH_TABLES } from './switch-rows.js';

export const HOST = 'here';

export interface TestHostOptions {
  /** The machine's own, by physical networks. */
  readonly uplinkAddresses?: UplinkAddresses;
  /** `public` unless given. */
  readonly physicalNetworks?: readonly string[];
  /** The address at which other hosts reach the databases. */
  readonly listen?: string;
  readonly tunnel?: Tunnel;
}

export class TestHost {
  readonly #guests: TestGuest[] = [];
  readonly #chassis: TestChassis[] = [];

  private constructor(
    readonly host: OvnHost,
    readonly dataPlane: OvnDataPlane,
    readonly northbound: OvsdbClient,
    first: TestChassis,
    private readonly programs: OvnPrograms,
    /** The folder of all files. */
    readonly folder: string,
    /** Daemons that exited by themselves. */
    readonly ended: string[],
  ) {
    this.#chassis.push(first);
  }

  get ethtool(): readonly [string, ...string[]] {
    return this.programs.commands.ethtool;
  }

  static async start({
    uplinkAddresses = new Map(),
    physicalNetworks = ['public'],
    ...rest
  }: TestHostOptions = {}): Promise<TestHost> {
    const programs = await findOvnPrograms(PROGRAM_ROOTS);
    if (typeof programs === 'string') throw new Error(`OVN cannot be tested: ${programs}`);
    // Readable by root only, like the data folder.
    const folder = await mkdtemp(join(tmpdir(), 'cumulet-ovn-'));
    const ended: string[] = [];
    const host = await OvnHost.start(
      {
        programs,
        folder: join(folder, 'ovn'),
        host: HOST,
        ...rest,
        physicalNetworks,
        uplinkAddresses,
        availabilityZones: ['nova'],
      },
      { ended: (name, how) => ended.push(`${name}: ${how}`) },
    );
    const dataPlane = new OvnDataPlane({
      northbound: host.central.northbound,
      southbound: host.central.southbound,
    });
    const northbound = new OvsdbClient({
      address: host.central.northbound,
      database: NORTHBOUND,
      tables: NORTHBOUND_TABLES,
    });
    northbound.start();
    const chassis = await TestChassis.follow(HOST, host.chassis, () => host.chassis.stop());
    await Promise.all([northbound.ready(), dataPlane.ready()]);
    return new TestHost(host, dataPlane, northbound, chassis, programs, folder, ended);
  }

  /** The first host's own database. */
  get switchDatabase(): OvsdbClient {
    return this.#at(HOST).switchDatabase;
  }

  /** Another host of the same cloud. */
  async addHost(name: string, southbound: string, tunnel: Tunnel): Promise<OvnChassis> {
    const { programs, folder } = this;
    const chassis = await OvnChassis.start(
      {
        programs,
        folder: join(folder, name),
        host: name,
        southbound,
        tunnel,
        physicalNetworks: [],
        uplinkAddresses: new Map(),
        availabilityZones: ['nova'],
      },
      { ended: (daemon, how) => this.ended.push(`${name}'s ${daemon}: ${how}`) },
    );
    const added = await TestChassis.follow(name, chassis, () => chassis.stop());
    this.#chassis.push(added);
    return chassis;
  }

  /** Another host of the cloud with its own taps and metadata. */
  async followHost(name: string, place: SwitchPlace): Promise<void> {
    this.#chassis.push(await TestChassis.follow(name, place));
  }

  isUp(portId: string): boolean {
    const up = this.northbound.rows.find('Logical_Switch_Port', portId)?.['up'];
    return Array.isArray(up) && up[0] === true;
  }

  /** Plugs a guest into the port on its host, and returns once the port is up. */
  async plug(port: Pick<PortSpec, 'id' | 'macAddress'> & Partial<PortSpec>): Promise<TestGuest> {
    const at = this.#at(port.host ?? HOST);
    const guest = await TestGuest.start({
      switchNamespace: at.namespace,
      macAddress: port.macAddress,
      ethtool: this.ethtool,
    });
    this.#guests.push(guest);
    await at.switchDatabase.transact(planPlug(guest.device, port.id));
    await eventually(`${port.id} is up`, () => this.isUp(port.id));
    return guest;
  }

  /**
   * Plugs in a guest that tags packets, as one guest for each part: packets of the first are
   * untagged, those of the others have the tags of their ports. A bridge of the switch tags them,
   * since not every kernel can.
   */
  async plugTrunk(parent: PortSpec, subports: readonly PortSpec[]): Promise<TestGuest[]> {
    const { namespace: switchNamespace, switchDatabase } = this.#at(HOST);
    const own = bridgeOf('public');
    const key = randomBytes(4).toString('hex');
    const ends = [`in${key}`, `out${key}`] as const;
    const patch = (peer: string, ids: Readonly<Record<string, string>> = {}) => ({
      type: word('patch'),
      options: marks({ peer }),
      external_ids: marks(ids),
    });
    await switchDatabase.transact([
      ...planDevice(own, ends[0], patch(ends[1])),
      ...planDevice(INTEGRATION_BRIDGE, ends[1], patch(ends[0], { 'iface-id': parent.id })),
    ]);
    const { ethtool } = this.programs.commands;
    const parts: TestGuest[] = [];
    for (const { macAddress, parent: by } of [parent, ...subports]) {
      const part = await TestGuest.start({ switchNamespace, macAddress, ethtool });
      this.#guests.push(part);
      parts.push(part);
      await switchDatabase.transact(planDevice(own, part.device));
      const port = { table: 'Port', id: derivedId('port', part.device) };
      if (by !== null)
        await switchDatabase.transact([{ op: 'update', ...port, row: { tag: [by.tag] } }]);
    }
    await eventually(`${parent.id} is up`, () => this.isUp(parent.id));
    return parts;
  }

  async unplug(guest: TestGuest): Promise<void> {
    const at = this.#chassis.find(({ namespace }) => namespace === guest.switchNamespace);
    await at?.switchDatabase.transact(planUnplug(guest.device));
  }

  #at(host: string): TestChassis {
    const found = this.#chassis.find(({ name }) => name === host);
    if (!found) throw new Error(`there is no host ${host}`);
    return found;
  }

  /** Removes all guests and everything in the data plane. */
  async clear(): Promise<void> {
    for (const guest of this.#guests.splice(0)) {
      await this.unplug(guest);
      await guest.stop();
    }
    await this.northbound.catchUp();
    const roots = ['Logical_Switch', 'Logical_Router', 'Port_Group', 'DHCP_Options'];
    const ids = [...roots, 'Load_Balancer'].flatMap((table) =>
      [...this.northbound.rows.of(table).keys()].map((id) => ({
        op: 'delete' as const,
        table,
        id,
      })),
    );
    await this.northbound.transact(ids);
    const { rows } = this.northbound;
    // Its own copy may be behind.
    await eventually('the data plane is empty', async () => {
      const { networks, ports, routers, balancers } = await this.dataPlane.inventory();
      const held = [...networks, ...ports, ...routers, ...balancers];
      return rows.of('Port_Group').size + held.length === 0;
    });
  }

  async stop(): Promise<void> {
    for (const guest of this.#guests.splice(0)) await guest.stop();
    for (const other of this.#chassis.splice(0).reverse()) await other.stop();
    this.northbound.stop();
    this.dataPlane.close();
    await this.host.stop();
    await rm(this.folder, { recursive: true });
  }
}

type SwitchPlace = Pick<OvnChassis, 'namespace' | 'switchDatabase'>;

/** A switch into which guests are plugged by hand. */
class TestChassis {
  private constructor(
    readonly name: string,
    readonly namespace: string,
    readonly switchDatabase: OvsdbClient,
    private readonly end: () => Promise<void>,
  ) {}

  static async follow(
    name: string,
    { namespace, switchDatabase: address }: SwitchPlace,
    end: () => Promise<void> = () => Promise.resolve(),
  ): Promise<TestChassis> {
    const switchDatabase = new OvsdbClient({
      address,
      database: SWITCH_DATABASE,
      tables: SWITCH_TABLES,
    });
    switchDatabase.start();
    await switchDatabase.ready();
    return new TestChassis(name, namespace, switchDatabase, end);
  }

  async stop(): Promise<void> {
    this.switchDatabase.stop();
    await this.end();
  }
}

export function newMac(): string {
  return ['fa:16:3e', ...(randomBytes(3).toString('hex').match(/../g) ?? [])].join(':');
}
