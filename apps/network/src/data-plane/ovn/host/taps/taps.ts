/**
 * Creates a device in the switch's namespace for each port that is bound to this host, and plugs it
 * in: one that a guest opens, or one that leads to the port's own network namespace. Devices follow
 * from the southbound database alone, compared with what exists, so what an earlier process left is
 * removed too. But a device that a guest has open stays while the database does not know its port: a
 * database that was lost, and is being written anew, must not take the network from guests.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { OvsdbClient } from '../../../ovsdb/ovsdb-client.js';
import { OvsdbUnavailableError } from '../../../ovsdb/ovsdb.errors.js';
import { untilApplied, forEach } from '../switch-applied.js';
import { planPlug, planUnplug, SWITCH_DATABASE, SWITCH_TABLES } from '../switch-rows.js';
import { Namespaces } from '../namespaces/namespaces.js';
import { wantedNamespaces } from '../namespaces/port-namespace.js';
import {
  knownDevices,
  makeTap,
  openedIn,
  openTap,
  removeTap,
  tapsIn,
  BINDING_TABLES,
  SOUTHBOUND,
  wantedTaps,
} from './tap-devices.js';
import type { TapDevice, WantedTap } from './tap-devices.js';

export interface TapOptions {
  readonly namespace: string;
  readonly host: string;
  readonly southbound: string;
  readonly switchDatabase: string;
  /** UID of the user who may open a device, unless the port names another. */
  readonly uid: number;
  readonly ethtool: readonly [string, ...string[]];
}

export interface TapEvents {
  /** A device could not be created or removed; it is retried. */
  readonly failed: (error: unknown) => void;
}

const RETRY_MS = 200;
/** Interval of looks whether a guest has closed the device of a port that is gone. */
const LOOK_MS = 1_000;
/** In `external_ids`: the MTU that it was created with. */
const MTU = 'cumulet:mtu';

interface Plugged {
  readonly portId: string | undefined;
  readonly mtu: number;
}

export class Taps {
  readonly #bindings: OvsdbClient;
  readonly #switch: OvsdbClient;
  readonly #namespaces: Namespaces;
  readonly #stopping = new AbortController();
  #work: Promise<void> | undefined;
  #isDue = false;
  #look: NodeJS.Timeout | undefined;
  #lastFailure = '';
  /** The wanted and existing devices at the last successful comparison. */
  #settled: string | undefined;

  constructor(
    private readonly options: TapOptions,
    private readonly events: TapEvents,
  ) {
    this.#bindings = new OvsdbClient({
      address: options.southbound,
      database: SOUTHBOUND,
      tables: BINDING_TABLES,
    });
    this.#switch = new OvsdbClient({
      address: options.switchDatabase,
      database: SWITCH_DATABASE,
      tables: SWITCH_TABLES,
    });
    this.#namespaces = new Namespaces(options.namespace, options.ethtool, this.#switch);
  }

  start(): void {
    for (const client of [this.#bindings, this.#switch]) {
      client.onChange(() => this.#settle());
      client.start();
    }
    this.#settle();
  }

  /** Leaves devices and namespaces, since guests and programs outlive this process. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#look);
    for (const client of [this.#bindings, this.#switch]) client.stop();
    await this.#work;
  }

  #settle(): void {
    this.#isDue = true;
    this.#work ??= this.#run().finally(() => (this.#work = undefined));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (this.#isDue && !signal.aborted) {
      this.#isDue = false;
      try {
        for (const client of [this.#bindings, this.#switch]) client.assertReady();
        const rows = this.#bindings.rows;
        await forEach(
          [
            () => this.#compare(),
            () => this.#namespaces.compare(wantedNamespaces(rows, this.options)),
          ],
          (work) => work(),
        );
      } catch (error) {
        // Outdated rows must not cause a removal.
        if (!(error instanceof OvsdbUnavailableError)) this.#tell(error);
        this.#isDue = true;
        await delay(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  /** Reports a failure once, not at each repetition. */
  #tell(error: unknown): void {
    const failure = String(error);
    if (failure !== this.#lastFailure) this.events.failed(error);
    this.#lastFailure = failure;
  }

  /** @throws OvsdbUnavailableError, OvnHostError */
  async #compare(): Promise<void> {
    const { namespace } = this.options;
    const wanted = new Map(
      wantedTaps(this.#bindings.rows, this.options).map((one) => [one.device, one]),
    );
    const plugged = this.#plugged();
    const state = JSON.stringify([[...wanted], [...plugged]]);
    // Most changes concern other hosts' ports.
    if (state === this.#settled) return;
    const made = new Map((await tapsIn(namespace)).map((one) => [one.device, one]));
    const kept = await this.#inUse([...made.keys()].filter((device) => !wanted.has(device)));
    for (const device of plugged.keys())
      if (!kept.has(device) && !isMade(wanted.get(device), made.get(device)))
        await this.#switch.transact(planUnplug(device));
    await forEach(made.values(), async (one) => {
      if (!kept.has(one.device) && !isMade(wanted.get(one.device), one))
        await removeTap(namespace, one.device);
    });
    await forEach(wanted.values(), (one) =>
      this.#plug(one, isMade(one, made.get(one.device)), plugged.get(one.device)),
    );
    this.#settled = kept.size === 0 ? state : undefined;
    clearTimeout(this.#look);
    if (kept.size > 0) this.#look = setTimeout(() => this.#settle(), LOOK_MS).unref();
  }

  /** Those that a guest has open, and whose ports the database does not know. */
  async #inUse(devices: readonly string[]): Promise<ReadonlySet<string>> {
    if (devices.length === 0) return new Set();
    const known = knownDevices(this.#bindings.rows);
    const opened = await openedIn(this.options.namespace);
    return new Set(devices.filter((one) => opened.has(one) && !known.has(one)));
  }

  async #plug(wanted: WantedTap, isThere: boolean, plugged: Plugged | undefined): Promise<void> {
    const { namespace } = this.options;
    const { device, portId, mtu } = wanted;
    const isPlugged = isThere && plugged?.portId === portId;
    if (isPlugged && plugged.mtu === mtu) return;
    if (!isThere) await makeTap(namespace, wanted);
    await openTap(namespace, device, mtu);
    if (isThere && plugged) await this.#switch.transact(planUnplug(device));
    // Otherwise the switch would keep the device that was there before.
    if (plugged) await untilApplied(this.#switch);
    await this.#switch.transact(planPlug(device, portId, { [MTU]: String(mtu) }));
  }

  /** Devices of guests, by name; an administrator may have plugged in others. */
  #plugged(): ReadonlyMap<string, Plugged> {
    const rows = [...this.#switch.rows.of('Interface').values()].flatMap((row) => {
      const ids = row['external_ids'] as Readonly<Record<string, string>>;
      const mtu = ids[MTU];
      if (mtu === undefined) return [];
      return [[row['name'] as string, { portId: ids['iface-id'], mtu: Number(mtu) }] as const];
    });
    return new Map(rows);
  }
}

function isMade(wanted: WantedTap | undefined, made: TapDevice | undefined): boolean {
  return wanted !== undefined && made !== undefined && wanted.uid === made.uid;
}
