/**
 * Serves metadata to the guests of one host of OVN: for each network with guests here, a namespace
 * answers at the metadata address. It follows the southbound database and keeps no state of its
 * own. Public source: neutron, `agent/ovn/metadata/agent.py`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { OvsdbClient } from '../../ovsdb/ovsdb-client.js';
import { SOUTHBOUND } from '../host/taps/tap-devices.js';
import { untilApplied } from '../host/switch-applied.js';
import { planPlug, planUnplug, SWITCH_DATABASE, SWITCH_TABLES } from '../host/switch-rows.js';
import { deviceFor, isDevice, removeLeftovers, type MetadataHost } from './metadata-namespace.js';
import { NetworkServer, type GuestService } from './network-server.js';
import { ServedNetworks, SOUTHBOUND_TABLES, type ServedNetwork } from './served-networks.js';

export interface MetadataEvents {
  /** A failure, after which it retries. */
  readonly failed: (error: unknown) => void;
}

const RETRY_MS = 1_000;

export class MetadataAgent {
  readonly #southbound: OvsdbClient;
  readonly #switch: OvsdbClient;
  readonly #served = new ServedNetworks();
  readonly #servers = new Map<string, NetworkServer>();
  readonly #stopping = new AbortController();
  #hasChanged = true;
  #wake = (): void => undefined;
  #running: Promise<void> = Promise.resolve();

  private constructor(
    private readonly host: MetadataHost,
    private readonly services: readonly GuestService[],
    private readonly events: MetadataEvents,
  ) {
    const { southbound, switchDatabase } = host;
    this.#southbound = new OvsdbClient({
      address: southbound,
      database: SOUTHBOUND,
      tables: SOUTHBOUND_TABLES,
    });
    this.#switch = new OvsdbClient({
      address: switchDatabase,
      database: SWITCH_DATABASE,
      tables: SWITCH_TABLES,
    });
  }

  static start(
    host: MetadataHost,
    services: readonly GuestService[],
    events: MetadataEvents,
  ): MetadataAgent {
    const agent = new MetadataAgent(host, services, events);
    agent.#southbound.onChange(() => agent.#change());
    agent.#southbound.start();
    agent.#switch.start();
    agent.#running = agent.#run();
    return agent;
  }

  /** Leaves the namespaces to the next process: guests' requests are refused there until then. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#running;
    for (const server of this.#servers.values()) server.detach();
    this.#southbound.stop();
    this.#switch.stop();
  }

  #change(): void {
    this.#hasChanged = true;
    this.#wake();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let isClean = false;
    while (!signal.aborted) {
      this.#hasChanged = false;
      try {
        await Promise.all([this.#southbound.ready(signal), this.#switch.ready(signal)]);
        if (!isClean) await this.#removeLeftovers();
        isClean = true;
        if (!(await this.#follow())) this.#changeLater();
      } catch (error) {
        this.#failed(error);
        this.#changeLater();
      }
      await this.#changed();
    }
  }

  /** @returns whether all changes succeeded */
  async #follow(): Promise<boolean> {
    const wanted = this.#served.on(this.#southbound.rows, this.host.host);
    const ids = new Set(wanted.map(({ networkId }) => networkId));
    const gone = [...this.#servers.keys()].filter((id) => !ids.has(id));
    let isDone = true;
    const attempt = async (work: () => Promise<void>): Promise<void> => {
      if (this.#stopping.signal.aborted) return;
      await work().catch((error: unknown) => {
        isDone = false;
        this.#failed(error);
      });
    };
    for (const id of gone) await attempt(() => this.#close(id));
    for (const network of wanted) await attempt(() => this.#ensure(network));
    return isDone;
  }

  async #ensure(network: ServedNetwork): Promise<void> {
    const { networkId, portId } = network;
    const known = this.#servers.get(networkId);
    if (known?.portId === portId) {
      if (!known.isAsOf(network)) await known.update(network);
      return;
    }
    if (known) await this.#close(networkId);
    const server = new NetworkServer(this.host, network, this.services);
    try {
      await server.open();
      await this.#plug(deviceFor(networkId), portId);
    } catch (error) {
      await server.close();
      throw error;
    }
    this.#servers.set(networkId, server);
  }

  async #close(networkId: string): Promise<void> {
    await this.#unplug(deviceFor(networkId));
    await this.#servers.get(networkId)?.close();
    this.#servers.delete(networkId);
  }

  async #plug(device: string, portId: string): Promise<void> {
    await this.#unplug(device);
    await this.#switch.transact(planPlug(device, portId));
  }

  async #unplug(device: string): Promise<void> {
    await this.#switch.catchUp();
    const names = [...this.#switch.rows.of('Port').values()].map(({ name }) => name);
    if (!names.includes(device)) return;
    await this.#switch.transact(planUnplug(device));
    // Otherwise the switch would confuse the old device with the next one of this name.
    await untilApplied(this.#switch);
  }

  /** Removes the namespaces of an earlier process; nothing listens there any longer. */
  async #removeLeftovers(): Promise<void> {
    const names = [...this.#switch.rows.of('Port').values()].map(({ name }) => name as string);
    for (const name of names.filter(isDevice)) await this.#switch.transact(planUnplug(name));
    await untilApplied(this.#switch);
    await removeLeftovers(this.host);
  }

  /** Failures while stopping are not reported. */
  #failed(error: unknown): void {
    if (!this.#stopping.signal.aborted) this.events.failed(error);
  }

  #changeLater(): void {
    void delay(RETRY_MS, undefined, { ref: false }).then(() => this.#change());
  }

  /** Returns once there is something to do. */
  async #changed(): Promise<void> {
    if (this.#hasChanged || this.#stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}
