import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { NO_QOS } from '../../data-plane.js';
import type { NetworkSpec, PortSpec, RouterSpec, SecurityGroupSpec } from '../../data-plane.js';
import {
  groupSpec,
  networkSpec,
  portSpec,
  routerPortSpec,
  rule,
  subnetSpec,
} from '../test-cloud.fixture.js';
import { networkRows } from './network-rows.js';
import { portRows } from './port-rows.js';
import { routerRows } from './router-rows.js';
import { securityGroupRows } from './security-group-rows.js';
import { storedSpec } from './northbound.js';

const hosts = (): string[] => ['here'];
const network = networkSpec(subnetSpec('10.0.0.0/24'));

/** As written by a version without these fields. */
const without = (spec: object, ...names: readonly string[]): string =>
  JSON.stringify(spec, (name, value: unknown) => (names.includes(name) ? undefined : value));

describe('a spec that an earlier version has stored', () => {
  it('has no limits if it does not mention them', () => {
    const port = portSpec(network, ['10.0.0.3']);
    const added = ['qos', 'tap', 'prepared', 'parent', 'deviceId', 'projectId', 'isVip'];
    const read = storedSpec<PortSpec>('port', without(port, ...added));
    expect(read).toEqual({ ...port, deviceId: '', projectId: '' });
    expect(portRows(read, network)).toHaveLength(portRows(port, network).length);
  });

  it('has no metadata', () => {
    const read = storedSpec<NetworkSpec>('network', without(network, 'metadataPort'));
    expect(networkRows(read)).toEqual(networkRows(network));
    expect(storedSpec('network', without(network, 'projectId'))).toMatchObject({ projectId: '' });
  });

  it('has no limits and port forwardings', () => {
    const at = { ...routerPortSpec(network, '10.0.0.2'), enableSnat: true, qos: NO_QOS };
    const floating = {
      id: randomUUID(),
      address: '10.0.0.9',
      networkId: network.id,
      macAddress: '',
      fixedAddress: '10.1.0.3',
      fixedPortId: randomUUID(),
      qos: NO_QOS,
    };
    const router: RouterSpec = {
      id: randomUUID(),
      adminStateUp: true,
      interfaces: [],
      routes: [],
      gateways: [at],
      floatingIps: [floating],
      availabilityZones: [],
      portForwardings: [],
    };
    const read = storedSpec<RouterSpec>(
      'router',
      without(router, 'qos', 'portForwardings', 'availabilityZones'),
    );
    expect(read).toEqual(router);
    expect(routerRows(read, hosts)).toEqual(routerRows(router, hosts));
  });

  it('is read with a single prefix, or none, for each rule', () => {
    const group = groupSpec(rule({ remotePrefixes: ['10.9.0.0/16'] }), rule({}));
    const rules = group.rules.map(({ remotePrefixes, ...rest }) => ({
      ...rest,
      remoteIpPrefix: remotePrefixes?.[0] ?? null,
    }));
    const read = storedSpec<SecurityGroupSpec>(
      'security_group',
      JSON.stringify({ ...group, rules }),
    );
    expect(read).toEqual(group);
    expect(securityGroupRows(read)).toMatchObject([{}, {}, {}, {}, {}]);
  });

  it('is written again unchanged if it is complete', () => {
    const port = JSON.stringify(portSpec(network, []));
    expect(JSON.stringify(storedSpec('port', port))).toBe(port);
    const group = JSON.stringify(groupSpec(rule({ remotePrefixes: [] })));
    expect(JSON.stringify(storedSpec('security_group', group))).toBe(group);
  });
});
