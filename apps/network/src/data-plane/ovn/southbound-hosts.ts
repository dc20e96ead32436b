/**
 * The hosts of an OVN, from its southbound database: which there are, which routers' gateways may be
 * on, and when each gave a sign of life. Public sources: ovn-sb(5), "Chassis", "Chassis_Private";
 * ovn-controller(8), `ovn-cms-options`; neutron, `agent/neutron_agent.py` of its OVN driver.
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

/** A gateway is on the first of them that lives. Public source: neutron, `MAX_GW_CHASSIS`. */
const MAX_GATEWAY_HOSTS = 5;

/** What a host says of itself in `ovn-cms-options`. */
export const GATEWAY = 'enable-chassis-as-gw';
export const ZONES = 'availability-zones';
export const NAMESPACE = 'cumulet-namespace';

export class SouthboundHosts {
  readonly #southbound: OvsdbClient;

  /** @param address of the southbound database */
  constructor(address: string) {
    this.#southbound = new OvsdbClient({
      address,
      database: 'OVN_Southbound',
      tables: TABLES,
    });
    this.#southbound.start();
  }

  ready(signal?: AbortSignal): Promise<void> {
    return this.#southbound.ready(signal);
  }

  close(): void {
    this.#southbound.stop();
  }

  /** Tells whenever a host comes, changes or goes; signs of life are no change. */
  onChange(listener: () => void): void {
    this.#southbound.onChange((changes) => {
      if (changes.some(({ table }) => table === 'Chassis')) listener();
    });
  }

  /** @throws OvsdbUnavailableError */
  async list(): Promise<HostStatus[]> {
    await this.#southbound.catchUp();
    const signs = new Map(
      [...this.#southbound.rows.of('Chassis_Private').values()].map((row) => [
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

  /** A host that is gone for good; one that lives comes back. @throws OvsdbUnavailableError */
  async forget(host: string): Promise<void> {
    await this.#southbound.catchUp();
    const operations = Object.keys(TABLES).flatMap((table) =>
      [...this.#southbound.rows.of(table)]
        .filter(([, row]) => row['name'] === host)
        .map(([id]) => ({ op: 'delete', table, id }) as const),
    );
    if (operations.length > 0) await this.#southbound.transact(operations);
  }

  /**
   * The hosts for a router's gateway, the first before the others: those that say that they are for
   * it, or else all that are on its physical network and in its zones. Gateways are spread by their
   * ports.
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
    return [...this.#southbound.rows.of('Chassis').values()];
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

/** @param text `a=1,b=2,c` */
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
