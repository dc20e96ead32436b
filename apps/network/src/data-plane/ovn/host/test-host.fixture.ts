/** A host with a real OVN, and guests that are network namespaces on a cable. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@cumulet/testing/settle';
import type { PortSpec } from '../../data-plane.js';
import { OvsdbClient } from '../../ovsdb/ovsdb-client.js';
import { OvnDataPlane } from '../ovn-data-plane.js';
import { NORTHBOUND, NORTHBOUND_TABLES } from '../rows/northbound.js';
import { TestGuest } from './test-guest.fixture.js';
import { OvnHost } from './ovn-host.js';
import { findOvnPrograms, PROGRAM_ROOTS, type OvnPrograms } from './ovn-programs.js';
import type { UplinkAddresses } from './uplink-addresses.js';
import { planPlug, planUnplug, SWITCH_DATABASE, SWITCH_TABLES } from './switch-rows.js';

export const HOST = 'here';

export class TestHost {
  readonly #guests: TestGuest[] = [];

  private constructor(
    readonly host: OvnHost,
    readonly dataPlane: OvnDataPlane,
    readonly northbound: OvsdbClient,
    private readonly switchDatabase: OvsdbClient,
    private readonly programs: OvnPrograms,
    private readonly folder: string,
    /** What ended by itself. */
    readonly ended: string[],
  ) {}

  /** @param uplinkAddresses the machine's own, by physical networks */
  static async start(uplinkAddresses: UplinkAddresses = new Map()): Promise<TestHost> {
    const programs = await findOvnPrograms(PROGRAM_ROOTS);
    if (typeof programs === 'string') throw new Error(`OVN cannot be tested: ${programs}`);
    // Closed to all but root, as the data folder is.
    const folder = await mkdtemp(join(tmpdir(), 'cumulet-ovn-'));
    const ended: string[] = [];
    const host = await OvnHost.start(
      {
        ...{ programs, folder: join(folder, 'ovn'), host: HOST },
        ...{ physicalNetworks: ['public'], uplinkAddresses },
      },
      { ended: (name, how) => ended.push(`${name}: ${how}`) },
    );
    const dataPlane = new OvnDataPlane({
      northbound: host.central.northbound,
      gatewayChassis: [HOST],
    });
    const follow = (
      address: string,
      database: string,
      tables: typeof SWITCH_TABLES | typeof NORTHBOUND_TABLES,
    ) => {
      const client = new OvsdbClient({ address, database, tables });
      client.start();
      return client;
    };
    const northbound = follow(host.central.northbound, NORTHBOUND, NORTHBOUND_TABLES);
    const switchDatabase = follow(host.chassis.switchDatabase, SWITCH_DATABASE, SWITCH_TABLES);
    await Promise.all([northbound.ready(), switchDatabase.ready(), dataPlane.ready()]);
    return new TestHost(host, dataPlane, northbound, switchDatabase, programs, folder, ended);
  }

  isUp(portId: string): boolean {
    const up = this.northbound.rows.find('Logical_Switch_Port', portId)?.['up'];
    return Array.isArray(up) && up[0] === true;
  }

  /** Plugs a guest into the port, and returns once the host carries its packets. */
  async plug(port: Pick<PortSpec, 'id' | 'macAddress'>): Promise<TestGuest> {
    const guest = await TestGuest.start({
      switchNamespace: this.host.chassis.namespace,
      macAddress: port.macAddress,
      ethtool: this.programs.commands.ethtool,
    });
    this.#guests.push(guest);
    await this.switchDatabase.transact(planPlug(guest.device, port.id));
    await eventually(`${port.id} is up`, () => this.isUp(port.id));
    return guest;
  }

  async unplug(guest: TestGuest): Promise<void> {
    await this.switchDatabase.transact(planUnplug(guest.device));
  }

  /** Removes all guests, and all that the data plane holds. */
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
      const { networks, ports, routers } = await this.dataPlane.inventory();
      return rows.of('Port_Group').size + networks.length + ports.length + routers.length === 0;
    });
  }

  async stop(): Promise<void> {
    for (const guest of this.#guests.splice(0)) await guest.stop();
    for (const client of [this.northbound, this.switchDatabase]) client.stop();
    this.dataPlane.close();
    await this.host.stop();
    await rm(this.folder, { recursive: true });
  }
}

export function newMac(): string {
  return ['fa:16:3e', ...(randomBytes(3).toString('hex').match(/../g) ?? [])].join(':');
}
