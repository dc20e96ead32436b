/**
 * Derives the networks with guests on a host, and the owners of addresses, from the southbound
 * database, which has the specs of ports. Public sources: ovn-sb(5), "Port_Binding"; neutron,
 * `agent/ovn/metadata/agent.py`. Pure apart from a cache by row.
 */
import type { PortSpec } from '../../data-plane.js';
import type { OvsdbRows } from '../../ovsdb/ovsdb-rows.js';
import type { Row } from '../../ovsdb/ovsdb-schema.js';
import { eui64, formatIp, parseCidr } from '@cumulet/common/addresses/ip-address';
import type { MetadataMark } from '../rows/metadata-rows.js';
import { specIn } from '../rows/northbound.js';

export const SOUTHBOUND_TABLES = {
  Chassis: ['name'],
  Port_Binding: ['type', 'chassis', 'external_ids'],
} as const;

export interface Guest {
  readonly portId: string;
  readonly macAddress: string;
  /** The ID of its server. */
  readonly deviceId: string;
  readonly projectId: string;
}

export interface ServedNetwork extends MetadataMark {
  /** By source address. */
  readonly guests: ReadonlyMap<string, Guest>;
}

const LINK_LOCAL = parseCidr('fe80::/64');

export class ServedNetworks {
  // Rows are replaced when they change, so the cache stays valid.
  readonly #ports = new WeakMap<Row, PortSpec | null>();
  readonly #marks = new WeakMap<Row, MetadataMark | null>();

  /** @param host the name of its chassis */
  on(rows: Pick<OvsdbRows, 'of'>, host: string): ServedNetwork[] {
    const [chassis] = [...rows.of('Chassis')].find(([, { name }]) => name === host) ?? [];
    const guests = new Map<string, Map<string, Guest>>();
    const marks: MetadataMark[] = [];
    for (const row of rows.of('Port_Binding').values()) {
      const mark = row['type'] === 'localport' ? this.#markIn(row) : null;
      if (mark) marks.push(mark);
      const [at] = row['chassis'] as readonly string[];
      const port = chassis !== undefined && at === chassis ? this.#portIn(row) : null;
      // Programs of the host have no metadata.
      if (port?.namespace === null) put(guests, port);
    }
    return marks.flatMap((mark) => {
      const own = guests.get(mark.networkId);
      return own ? [{ ...mark, guests: own }] : [];
    });
  }

  #markIn(row: Row): MetadataMark | null {
    return remembered(this.#marks, row, () => specIn<MetadataMark>('metadata_port', row) ?? null);
  }

  #portIn(row: Row): PortSpec | null {
    return remembered(this.#ports, row, () => specIn<PortSpec>('port', row) ?? null);
  }
}

function put(guests: Map<string, Map<string, Guest>>, port: PortSpec): void {
  const { id: portId, macAddress, deviceId, projectId, networkId } = port;
  const own = guests.get(networkId) ?? new Map<string, Guest>();
  guests.set(networkId, own);
  const guest = { portId, macAddress, deviceId, projectId };
  for (const { address } of port.addresses) own.set(address, guest);
  // The address from which a host contacts fe80::a9fe:a9fe.
  if (LINK_LOCAL) own.set(formatIp(eui64(macAddress, LINK_LOCAL)), guest);
}

function remembered<Value>(known: WeakMap<Row, Value>, row: Row, read: () => Value): Value {
  const value = known.get(row) ?? read();
  known.set(row, value);
  return value;
}
