import { describe, expect, it } from '@jest/globals';
import type { PortSpec } from '../../data-plane.js';
import type { Row } from '../../ovsdb/ovsdb-schema.js';
import { markOf } from '../rows/northbound.js';
import { portSpec, networkSpec, subnetSpec } from '../test-cloud.fixture.js';
import { ServedNetworks } from './served-networks.js';

const NETWORK = networkSpec(subnetSpec('10.0.1.0/24'));

const portOf = (address: string, changes: Partial<PortSpec> = {}): PortSpec =>
  portSpec(NETWORK, [address], { macAddress: 'fa:16:3e:00:00:01', ...changes });
const bound = (port: PortSpec, chassis: string[]): Row => ({
  type: '',
  chassis,
  ...markOf('port', port),
});
const metadataPort = {
  id: 'metadata',
  portId: 'metadata',
  networkId: NETWORK.id,
  mtu: 1442,
  macAddress: 'fa:16:3e:00:00:02',
  addresses: [],
};
const localport: Row = {
  type: 'localport',
  chassis: [],
  ...markOf('metadata_port', metadataPort),
};

function rowsOf(...bindings: readonly Row[]) {
  const tables: Readonly<Record<string, ReadonlyMap<string, Row>>> = {
    Chassis: new Map([
      ['c1', { name: 'here' }],
      ['c2', { name: 'there' }],
    ]),
    Port_Binding: new Map(bindings.map((row, at) => [String(at), row])),
  };
  return { of: (table: string) => tables[table] ?? new Map<string, Row>() };
}

describe('the networks that a host serves', () => {
  const served = new ServedNetworks();
  const one = portOf('10.0.1.11', { deviceId: 'server', projectId: 'project' });
  const other = portOf('10.0.1.12', { macAddress: 'fa:16:3e:00:00:03' });

  it('are those with guests there, by all addresses that they send from', () => {
    const rows = rowsOf(localport, bound(one, ['c1']), bound(other, ['c2']));
    const [network, ...others] = served.on(rows, 'here');
    expect(others).toEqual([]);
    expect(network).toMatchObject({ networkId: NETWORK.id, portId: 'metadata', mtu: 1442 });
    const guest = { portId: one.id, macAddress: one.macAddress, deviceId: 'server' };
    expect([...(network?.guests ?? [])]).toEqual([
      ['10.0.1.11', { ...guest, projectId: 'project' }],
      ['fe80::f816:3eff:fe00:1', { ...guest, projectId: 'project' }],
    ]);
  });

  it.each([
    ['has no metadata', [bound(one, ['c1'])], 'here'],
    ['has no guests', [localport], 'here'],
    [
      'has programs of the host alone',
      [localport, bound({ ...one, namespace: 'own' }, ['c1'])],
      'here',
    ],
    ['has guests elsewhere', [localport, bound(one, ['c2']), bound(other, [])], 'here'],
    ['is on a host that nobody knows', [localport, bound(one, ['c1'])], 'nowhere'],
  ])('are none if a network %s', (_, bindings, host) => {
    expect(served.on(rowsOf(...bindings), host)).toEqual([]);
  });
});
