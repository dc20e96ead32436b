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

/** As a build wrote it that knew nothing of these. */
const without = (spec: object, ...names: readonly string[]): string =>
  JSON.stringify(spec, (name, value: unknown) => (names.includes(name) ? undefined : value));

describe('a spec that an earlier build has stored', () => {
  it('is one of a port without limits, where it says nothing of them', () => {
    const port = portSpec(network, ['10.0.0.3']);
    const added = ['qos', 'tap', 'prepared', 'parent', 'deviceId', 'projectId', 'isVip'];
    const read = storedSpec<PortSpec>('port', without(port, ...added));
    expect(read).toEqual({ ...port, deviceId: '', projectId: '' });
    expect(portRows(read, network)).toHaveLength(portRows(port, network).length);
  });

  it('is one of a network without metadata', () => {
    const read = storedSpec<NetworkSpec>('network', without(network, 'metadataPort'));
    expect(networkRows(read)).toEqual(networkRows(network));
    expect(storedSpec('network', without(network, 'projectId'))).toMatchObject({ projectId: '' });
  });

  it('is one of a router without limits and port forwardings', () => {
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

  it('is one of a group whose rules name one prefix, or none', () => {
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

  it('is written as it was, where it says all', () => {
    const port = JSON.stringify(portSpec(network, []));
    expect(JSON.stringify(storedSpec('port', port))).toBe(port);
    const group = JSON.stringify(groupSpec(rule({ remotePrefixes: [] })));
    expect(JSON.stringify(storedSpec('security_group', group))).toBe(group);
  });
});
