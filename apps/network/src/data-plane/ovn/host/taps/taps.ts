/**
 * Gives each port that is bound to this host a device in the switch's namespace, and plugs it in:
 * one that a guest opens, or one that leads to a network namespace of the port's own.
 * What leads there are the rows of the southbound database alone, compared with what is there: so
 * what an earlier process has left is gone too.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { OvsdbClient } from '../../../ovsdb/ovsdb-client.js';
import { OvsdbUnavailableError } from '../../../ovsdb/ovsdb.errors.js';
import { untilApplied, forEach } from '../switch-applied.js';
import { planPlug, planUnplug, SWITCH_DATABASE, SWITCH_TABLES } from '../switch-rows.js';
import { Namespaces } from '../namespaces/namespaces.js';
import { wantedNamespaces } from '../namespaces/port-namespace.js';
import {
  makeTap,
  openTap,
  removeTap,
  tapsIn,
  BINDING_TABLES,
  SOUTHBOUND,
  wantedTaps,
} from './tap-devices.js';
import type { TapDevice, WantedTap } from './tap-devices.js';

export interface TapOptions {
  /** The switch's network namespace. */
  readonly namespace: string;
  readonly host: string;
  /** Address of the southbound database. */
  readonly southbound: string;
  /** Address of the host's own database. */
  readonly switchDatabase: string;
  /** The user who may open a device where the port does not say. */
  readonly uid: number;
  readonly ethtool: readonly [string, ...string[]];
}

export interface TapEvents {
  /** A device could not be made or removed; it is tried again. */
  readonly failed: (error: unknown) => void;
}

const RETRY_MS = 200;
/** In `external_ids`: how it was made. */
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
  #told = '';
  /** What was wanted and plugged in when the devices were last found right. */
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

  /** Leaves the devices, and namespaces that are in use: guests and programs outlive this process. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const client of [this.#bindings, this.#switch]) client.stop();
    await this.#work;
    await this.#namespaces.leave();
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
        // Rows that may be outdated do not say what is to go.
        if (!(error instanceof OvsdbUnavailableError)) this.#tell(error);
        this.#isDue = true;
        await delay(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  /** The same failure again is nothing new. */
  #tell(error: unknown): void {
    const told = String(error);
    if (told !== this.#told) this.events.failed(error);
    this.#told = told;
  }

  /** @throws OvsdbUnavailableError, OvnHostError */
  async #compare(): Promise<void> {
    const { namespace } = this.options;
    const wanted = new Map(
      wantedTaps(this.#bindings.rows, this.options).map((one) => [one.device, one]),
    );
    const plugged = this.#plugged();
    const state = JSON.stringify([[...wanted], [...plugged]]);
    // Most changes are of other hosts' ports.
    if (state === this.#settled) return;
    const made = new Map((await tapsIn(namespace)).map((one) => [one.device, one]));
    for (const device of plugged.keys())
      if (!isMade(wanted.get(device), made.get(device)))
        await this.#switch.transact(planUnplug(device));
    await forEach(made.values(), async (one) => {
      if (!isMade(wanted.get(one.device), one)) await removeTap(namespace, one.device);
    });
    await forEach(wanted.values(), (one) =>
      this.#plug(one, isMade(one, made.get(one.device)), plugged.get(one.device)),
    );
    this.#settled = state;
  }

  async #plug(wanted: WantedTap, isThere: boolean, plugged: Plugged | undefined): Promise<void> {
    const { namespace } = this.options;
    const { device, portId, mtu } = wanted;
    const isPlugged = isThere && plugged?.portId === portId;
    if (isPlugged && plugged.mtu === mtu) return;
    if (!isThere) await makeTap(namespace, wanted);
    await openTap(namespace, device, mtu);
    if (isThere && plugged) await this.#switch.transact(planUnplug(device));
    // The switch would keep the device that was there before.
    if (plugged) await untilApplied(this.#switch);
    await this.#switch.transact(planPlug(device, portId, { [MTU]: String(mtu) }));
  }

  /** The devices of this kind, by name: others may be plugged in by hand. */
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

/** Whether the device is there as it is wanted. */
function isMade(wanted: WantedTap | undefined, made: TapDevice | undefined): boolean {
  return wanted !== undefined && made !== undefined && wanted.uid === made.uid;
}
