/**
 * Gives each port that a program of this host uses a network namespace, connected to the switch by
 * a veth pair. Like guests' devices, they follow from the rows of the southbound database, compared
 * with what exists.
 */
import { createHash } from 'node:crypto';
import { marks } from '../../../../languages/ovsdb-text.js';
import type { OvsdbClient } from '../../../ovsdb/ovsdb-client.js';
import { derivedId } from '../../rows/northbound.js';
import { untilApplied, forEach } from '../switch-applied.js';
import { planPlug, planUnplug } from '../switch-rows.js';
import { run } from '../switch-namespace.js';
import {
  configure,
  devicesIn,
  makeNamespace,
  namespacesOf,
  removeNamespace,
} from './port-namespace.js';
import type { WantedNamespace } from './port-namespace.js';

/** In `external_ids`: a hash of the settings that the namespace was created from. */
const MADE = 'cumulet:made';

interface Plugged {
  readonly portId: string | undefined;
  readonly made: string;
}

export class Namespaces {
  /** The wanted and existing devices at the last successful comparison. */
  #settled: string | undefined;

  constructor(
    /** The switch's namespace. */
    private readonly namespace: string,
    private readonly ethtool: readonly [string, ...string[]],
    private readonly switchDatabase: OvsdbClient,
  ) {}

  /** @throws OvsdbUnavailableError, OvnHostError */
  async compare(all: readonly WantedNamespace[]): Promise<void> {
    const plugged = this.#plugged();
    const state = JSON.stringify([all, [...plugged]]);
    if (state === this.#settled) return;
    const wanted = new Map(all.map((one) => [one.device, one]));
    for (const [device, { portId }] of plugged)
      if (wanted.get(device)?.portId !== portId)
        await this.switchDatabase.transact(planUnplug(device));
    const devices = new Set(await devicesIn(this.namespace));
    const names = new Set(await namespacesOf(this.namespace));
    await forEach(devices, async (device) => {
      const one = wanted.get(device);
      // The other end of the pair went with its namespace.
      if (one && names.has(one.namespace)) return;
      await run('ip', ['-n', this.namespace, 'link', 'delete', device]);
      devices.delete(device);
    });
    const kept = new Set(all.map(({ namespace }) => namespace));
    await forEach(names, (name) => (kept.has(name) ? Promise.resolve() : removeNamespace(name)));
    await forEach(all, (one) => {
      const isKnown = names.has(one.namespace);
      return this.#ensure(one, devices.has(one.device), isKnown, plugged.get(one.device));
    });
    this.#settled = state;
  }

  /** @param isThere whether its device exists @param isKnown whether its namespace exists */
  async #ensure(
    wanted: WantedNamespace,
    isThere: boolean,
    isKnown: boolean,
    plugged?: Plugged,
  ): Promise<void> {
    const { device, portId } = wanted;
    const made = createHash('sha256').update(JSON.stringify(wanted)).digest('hex').slice(0, 16);
    if (isThere && plugged?.portId === portId && plugged.made === made) return;
    if (!isThere) await makeNamespace(this.namespace, wanted, this.ethtool, isKnown);
    await configure(this.namespace, wanted, !isKnown);
    if (isThere && plugged?.portId === portId) {
      const row = { external_ids: marks({ 'iface-id': portId, [MADE]: made }) };
      const id = derivedId('interface', device);
      await this.switchDatabase.transact([{ op: 'update', table: 'Interface', id, row }]);
      return;
    }
    if (plugged?.portId === portId) await this.switchDatabase.transact(planUnplug(device));
    // Otherwise the switch would keep the device that was there before.
    if (plugged) await untilApplied(this.switchDatabase);
    await this.switchDatabase.transact(planPlug(device, portId, { [MADE]: made }));
  }

  /** Devices of namespaces, by name. */
  #plugged(): ReadonlyMap<string, Plugged> {
    const rows = [...this.switchDatabase.rows.of('Interface').values()].flatMap((row) => {
      const ids = row['external_ids'] as Readonly<Record<string, string>>;
      const made = ids[MADE];
      if (made === undefined) return [];
      return [[row['name'] as string, { portId: ids['iface-id'], made }] as const];
    });
    return new Map(rows);
  }
}
