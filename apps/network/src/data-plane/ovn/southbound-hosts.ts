/**
 * The hosts of an OVN by its southbound database, with their heartbeats, and the candidates for
 * routers' gateways. Public sources: ovn-sb(5), "Chassis", "Chassis_Private"; ovn-controller(8),
 * `ovn-cms-options`; neutron, `agent/neutron_agent.py` of its OVN driver.
 */
import { createHash } from 'node:crypto';
import type { HostStatus } from '../data-plane.js';
import { OvsdbClient } from '../ovsdb/ovsdb-client.js';
import type { GatewayHosts } from './plans.js';
import type { Row } from '../ovsdb/ovsdb-schema.js';

const TABLES = {
  Chassis: ['name', 'hostname', 'other_config'],
  Chassis_Private: ['name', 'nb_cfg_timestamp'],
} as const;

/** A gateway is on the first candidate that is alive. Public source: neutron, `MAX_GW_CHASSIS`. */
const MAX_GATEWAY_HOSTS = 5;

/** Keys of `ovn-cms-options`. */
export const GATEWAY = 'enable-chassis-as-gw';
export const ZONES = 'availability-zones';
export const NAMESPACE = 'cumulet-namespace';

/** Reads tables of the southbound database, kept current. */
export abstract class Southbound {
  protected readonly southbound: OvsdbClient;

  /** @param address of the southbound database */
  constructor(address: string, tables: Readonly<Record<string, readonly string[]>>) {
    this.southbound = new OvsdbClient({ address, database: 'OVN_Southbound', tables });
    this.southbound.start();
  }

  ready(signal?: AbortSignal): Promise<void> {
    return this.southbound.ready(signal);
  }

  close(): void {
    this.southbound.stop();
  }
}

export class SouthboundHosts extends Southbound {
  constructor(address: string) {
    super(address, TABLES);
  }

  /** Called when a host is added, changed or removed, but not for heartbeats. */
  onChange(listener: () => void): void {
    this.southbound.onChange((changes) => {
      if (changes.some(({ table }) => table === 'Chassis')) listener();
    });
  }

  /** @throws OvsdbUnavailableError */
  async list(): Promise<HostStatus[]> {
    await this.southbound.catchUp();
    const signs = new Map(
      [...this.southbound.rows.of('Chassis_Private').values()].map((row) => [
        row['name'],
        Number(row['nb_cfg_timestamp']),
      ]),
    );
    return this.#chassis().map((row) => ({
      ...statusOf(row),
      // Milliseconds; 0 before the first.
      seenAt: new Date(signs.get(row['name']) ?? 0),
    }));
  }

  /** Removes a host; one that is alive registers again. @throws OvsdbUnavailableError */
  async forget(host: string): Promise<void> {
    await this.southbound.catchUp();
    const operations = Object.keys(TABLES).flatMap((table) =>
      [...this.southbound.rows.of(table)]
        .filter(([, row]) => row['name'] === host)
        .map(([id]) => ({ op: 'delete', table, id }) as const),
    );
    if (operations.length > 0) await this.southbound.transact(operations);
  }

  /**
   * The candidate hosts of a router's gateway, in order of preference: those that are marked as
   * gateways, or else all on its physical network and in its zones. The order depends on the
   * gateway's port, so that gateways are spread.
   */
  gatewayHosts(gateway: Parameters<GatewayHosts>[0]): string[] {
    const { portId, physicalNetwork, availabilityZones: zones } = gateway;
    const all = this.#chassis().map(statusOf);
    const chosen = all.filter(({ isGateway }) => isGateway);
    const isIn = (host: Pick<HostStatus, 'availabilityZones'>): boolean =>
      zones.length === 0 || zones.some((zone) => host.availabilityZones.includes(zone));
    return (chosen.length > 0 ? chosen : all)
      .filter(isIn)
      .filter(
        ({ bridgeMappings }) =>
          physicalNetwork === null || Object.hasOwn(bridgeMappings, physicalNetwork),
      )
      .map(({ host }) => host)
      .sort((a, b) => (turn(portId, a) < turn(portId, b) ? -1 : 1))
      .slice(0, MAX_GATEWAY_HOSTS);
  }

  #chassis(): Row[] {
    return [...this.southbound.rows.of('Chassis').values()];
  }
}

function statusOf(row: Row): Omit<HostStatus, 'seenAt'> {
  const config = row['other_config'] as Readonly<Record<string, string>>;
  const options = pairsIn(config['ovn-cms-options'], '=');
  const isGateway = Object.hasOwn(options, GATEWAY);
  return {
    host: row['name'] as string,
    agentType: isGateway ? 'OVN Controller Gateway agent' : 'OVN Controller agent',
    binary: 'ovn-controller',
    isGateway,
    availabilityZones: options[ZONES]?.split(':').filter((one) => one !== '') ?? [],
    bridgeMappings: pairsIn(config['ovn-bridge-mappings'], ':'),
    datapathType: config['datapath-type'] ?? '',
    networkNamespace: options[NAMESPACE] ?? null,
  };
}

/** @param text such as `a=1,b=2,c` */
function pairsIn(text = '', sign: '=' | ':'): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((one) => {
    const at = one.includes(sign) ? one.indexOf(sign) : one.length;
    return [one.slice(0, at).trim(), one.slice(at + 1).trim()] as const;
  });
  return Object.fromEntries(pairs.filter(([name]) => name !== ''));
}

function turn(...words: readonly string[]): string {
  return createHash('sha256').update(words.join('\0')).digest('hex');
}
