/**
 * A host's part of OVN: its switch, in a network namespace of its own, and ovn-controller. In the
 * machine's network it changes nothing but its `uplinks`.
 */
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { INTEGRATION_BRIDGE } from '../../data-plane.js';
import { formatServers, serversAt } from '../../ovsdb/ovsdb-address.js';
import { OvsdbClient } from '../../ovsdb/ovsdb-client.js';
import { certificateArgs, giveCertificates } from './daemon-certificates.js';
import { CHASSIS_DAEMONS } from './daemons.js';
import { DATABASES, ensureDatabases } from './database-files.js';
import { giveToDaemons, namespaceOf, socketOf, type ChassisOptions } from './host-settings.js';
import { holdFolder, type FolderHold } from './folder-hold.js';
import { SouthboundAddress } from './southbound-address.js';
import { daemonsIn, makeFolder, READY_MS, Supervisor, type HostEvents } from './supervisor.js';
import {
  ensureNamespace,
  namespacesOfHost,
  processesIn,
  removeNamespace,
  run,
} from './switch-namespace.js';
import { planDevice, planSwitch, SWITCH_DATABASE, SWITCH_TABLES } from './switch-rows.js';
import {
  addressTunnels,
  makeUnderlay,
  removeUnderlay,
  TUNNEL_BRIDGE,
  UNDERLAY,
} from './tunnels.js';
import { returnDevices } from './uplinks/given-devices.js';
import { makeUplink, planUplink, removeUplink, uplinksOf } from './uplinks/uplinks.js';
import type { Clash, Uplink } from './uplinks/uplinks.js';

/** Linux's device number of /dev/net/tun. Public source: Documentation/admin-guide/devices.txt. */
const TUN = ['c', '10', '200'];
const BRIDGE = `${INTEGRATION_BRIDGE}.mgmt`;
const BRIDGE_MS = 30_000;
/** Time for an earlier process to end, as it is replaced. */
const HANDOVER_MS = 10_000;

export class OvnChassis {
  readonly #clashes = new Map<string, Clash>();
  readonly #supervisor: Supervisor;
  #southbound: SouthboundAddress | undefined;

  private constructor(
    private readonly options: ChassisOptions,
    private readonly hold: FolderHold,
    events: HostEvents,
  ) {
    const wanted = {
      'switch-database': [],
      switch: [],
      controller: certificateArgs(options.certificates),
    };
    this.#supervisor = new Supervisor(options, wanted, events);
  }

  /**
   * @param central resolves once the southbound database answers: daemons retry only after seconds
   * @throws OvnHostError if it does not start, which leaves what was there before and nothing else
   */
  static async start(
    options: ChassisOptions,
    events: HostEvents,
    central: Promise<unknown> = Promise.resolve(),
  ): Promise<OvnChassis> {
    const chassis = await OvnChassis.#hold(options, events, HANDOVER_MS);
    try {
      await chassis.#start(central);
    } catch (error) {
      await chassis.abandon();
      throw error;
    }
    return chassis;
  }

  /**
   * Removes what an earlier process has left, if nothing is plugged in.
   * @returns the processes that are plugged in, for which everything stays as it is
   * @throws OvnHostError if a process runs the chassis, or a daemon does not stop
   */
  static async remove(options: ChassisOptions): Promise<readonly number[]> {
    const chassis = await OvnChassis.#hold(options, { ended: () => undefined });
    const plugged = await chassis.pluggedIn();
    if (plugged.length > 0) {
      chassis.detach();
      return plugged;
    }
    const supervisor = chassis.#supervisor;
    await supervisor.prepare();
    for (const name of supervisor.left) supervisor.run(name);
    await chassis.stop();
    return [];
  }

  static async #hold(
    options: ChassisOptions,
    events: HostEvents,
    withinMs = 0,
  ): Promise<OvnChassis> {
    const folder = await makeFolder(options.folder);
    return new OvnChassis({ ...options, folder }, await holdFolder(folder, withinMs), events);
  }

  get namespace(): string {
    return namespaceOf(this.options.folder);
  }

  /** The host's own database, in which ports are plugged in. */
  get switchDatabase(): string {
    return socketOf(this.options.folder, DATABASES.switch);
  }

  /** The devices that connect the machine to physical networks. */
  get uplinks(): readonly Uplink[] {
    return uplinksOf(this.options);
  }

  /** The route that keeps an uplink from getting its address. */
  clashOf({ physicalNetwork }: Uplink): Clash | undefined {
    return this.#clashes.get(physicalNetwork);
  }

  pidOf(name: (typeof CHASSIS_DAEMONS)[number]): number | undefined {
    return this.#supervisor.pidOf(name);
  }

  /** The PIDs of guests and other programs that use the switch. */
  async pluggedIn(): Promise<number[]> {
    const own = await daemonsIn(this.options.folder, CHASSIS_DAEMONS);
    const names = await namespacesOfHost(this.namespace);
    const pids = (await Promise.all(names.map(processesIn))).flat().map(Number);
    return pids.filter((pid) => !own.some((daemon) => daemon.pid === pid));
  }

  /** Leaves daemons, namespaces, devices and flows to the next process, which adopts them. */
  detach(): void {
    this.#southbound?.stop();
    this.#supervisor.detach();
    this.hold.release();
  }

  /** Stops the daemons, and removes devices, and namespaces unless programs are in them. */
  async stop(): Promise<void> {
    this.#southbound?.stop();
    await this.#supervisor.stop();
    for (const uplink of this.uplinks) await removeUplink(uplink);
    await removeUnderlay(this.options);
    for (const name of await namespacesOfHost(this.namespace)) await removeNamespace(name);
    this.hold.release();
  }

  /** After a failed start: leaves what an earlier process has left, and removes what this one made. */
  async abandon(): Promise<void> {
    if (this.#supervisor.left.length > 0) this.detach();
    else await this.stop();
  }

  async #start(central: Promise<unknown>): Promise<void> {
    await this.#supervisor.prepare();
    await Promise.all([
      ensureDatabases(this.options, this.#supervisor.isLeft('switch-database') ? [] : ['switch']),
      this.#makeTun(),
      giveCertificates(this.options),
      ensureNamespace(this.namespace),
    ]);
    this.#supervisor.run('switch-database');
    await this.#supervisor.answering(`${DATABASES.switch}.sock`);
    await this.#configureSwitch();
    this.#supervisor.run('switch', () => void this.#refill());
    // ovn-controller retries only after seconds, both the switch and the database.
    await Promise.all([this.#switched(), central]);
    this.#supervisor.run('controller');
    this.#southbound = SouthboundAddress.follow(this.options.southbound, this.switchDatabase);
  }

  /** Returns once the switch has its bridges. */
  async #switched(withinMs?: number): Promise<void> {
    const { tunnel } = this.options;
    await this.#supervisor.answering(BRIDGE, withinMs);
    if (!tunnel) return;
    await this.#supervisor.answering(`${TUNNEL_BRIDGE}.mgmt`, withinMs);
    await addressTunnels(this.options, tunnel);
  }

  /** A restarted switch has no flows, and ovn-controller takes seconds to reconnect by itself. */
  async #refill(): Promise<void> {
    await this.#switched(BRIDGE_MS).then(
      () => this.#supervisor.restart('controller'),
      () => undefined,
    );
  }

  async #makeTun(): Promise<void> {
    const { folder } = this.options;
    const path = join(folder, 'tun');
    await rm(path, { force: true });
    await run('mknod', [path, ...TUN]);
    await giveToDaemons(folder, path);
    await chmod(path, 0o600);
  }

  async #configureSwitch(): Promise<void> {
    const client = new OvsdbClient({
      address: this.switchDatabase,
      database: SWITCH_DATABASE,
      tables: SWITCH_TABLES,
    });
    client.start();
    try {
      await client.ready(AbortSignal.timeout(READY_MS));
      const southbound = formatServers(await serversAt(this.options.southbound));
      const operations = planSwitch(client.rows, { ...this.options, southbound });
      if (operations.length > 0) await client.transact(operations);
      const known = new Set([...client.rows.of('Port').values()].map(({ name }) => name));
      const { tunnel } = this.options;
      const isUsed = this.#supervisor.isLeft('switch');
      if (tunnel && !isUsed) await makeUnderlay(this.options, tunnel);
      if (tunnel && !known.has(UNDERLAY))
        await client.transact(planDevice(TUNNEL_BRIDGE, UNDERLAY));
      await returnDevices(this.namespace, this.uplinks);
      for (const uplink of this.uplinks) {
        const clash = await makeUplink(this.options, uplink, isUsed);
        if (clash) this.#clashes.set(uplink.physicalNetwork, clash);
        if (!known.has(uplink.peer)) await client.transact(planUplink(uplink));
      }
    } finally {
      client.stop();
    }
  }
}
