import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { NO_QOS } from '../../data-plane.js';
import { networkSpec, portSpec, routerPortSpec, subnetSpec } from '../test-cloud.fixture.js';
import { qosRows, routerQosRows } from './qos-rows.js';

const network = networkSpec(subnetSpec('10.0.0.0/24'));
const limit = { maxKbps: 1000, maxBurstKbps: 0 };

describe('qosRows', () => {
  it('do not exist for a port without limits', () => {
    expect(qosRows(portSpec(network, []))).toEqual([]);
  });

  it('limit what the port receives, and limit and mark what it sends', () => {
    const qos = { ingress: limit, egress: { maxKbps: 2000, maxBurstKbps: 500 }, dscpMark: 46 };
    const port = portSpec(network, [], { qos });
    expect(qosRows(port)).toMatchObject([
      {
        row: {
          direction: 'from-lport',
          match: `inport == "${port.id}"`,
          action: { dscp: '46' },
          bandwidth: { rate: '2000', burst: '500' },
        },
        memberOf: [{ table: 'Logical_Switch', id: network.id, column: 'qos_rules' }],
      },
      {
        row: {
          direction: 'to-lport',
          match: `outport == "${port.id}"`,
          action: {},
          bandwidth: { rate: '1000' },
        },
      },
    ]);
  });
});

describe('routerQosRows', () => {
  const at = { ...routerPortSpec(network, '10.0.0.2'), enableSnat: true };
  const floating = {
    id: randomUUID(),
    address: '10.0.0.9',
    networkId: network.id,
    macAddress: '',
    fixedAddress: '10.1.0.3',
    fixedPortId: randomUUID(),
  };
  const router = {
    id: randomUUID(),
    adminStateUp: true,
    interfaces: [],
    routes: [],
    portForwardings: [],
    availabilityZones: [],
    gateways: [{ ...at, qos: NO_QOS }],
    floatingIps: [{ ...floating, qos: NO_QOS }],
  };

  it('do not exist without limits', () => {
    expect(routerQosRows(router)).toEqual([]);
  });

  it('limit a gateway at the port of its network', () => {
    const gateways = [{ ...at, qos: { ...NO_QOS, egress: limit } }];
    expect(routerQosRows({ ...router, gateways })).toMatchObject([
      {
        row: { direction: 'from-lport', priority: 2002, match: `inport == "${at.portId}"` },
        memberOf: [{ table: 'Logical_Switch', id: network.id, column: 'qos_rules' }],
      },
    ]);
  });

  it('limit a floating IP where its address is translated, before its gateway', () => {
    const floatingIps = [{ ...floating, qos: { ...NO_QOS, egress: limit, ingress: limit } }];
    const here = `is_chassis_resident("cr-lrp-${at.portId}")`;
    expect(routerQosRows({ ...router, floatingIps })).toMatchObject([
      {
        row: {
          priority: 2003,
          match: `inport == "${at.portId}" && ip4.src == 10.0.0.9 && ${here}`,
        },
      },
      {
        row: {
          priority: 2003,
          match: `outport == "${at.portId}" && ip4.dst == 10.0.0.9 && ${here}`,
        },
      },
    ]);
  });

  it('do not exist for a floating IP without a gateway', () => {
    const floatingIps = [
      { ...floating, networkId: randomUUID(), qos: { ...NO_QOS, egress: limit } },
    ];
    expect(routerQosRows({ ...router, floatingIps })).toEqual([]);
  });
});
