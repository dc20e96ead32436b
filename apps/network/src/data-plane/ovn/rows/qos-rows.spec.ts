import { describe, expect, it } from '@jest/globals';
import { networkSpec, portSpec, subnetSpec } from '../test-cloud.fixture.js';
import { qosRows } from './qos-rows.js';

const network = networkSpec(subnetSpec('10.0.0.0/24'));
const limit = { maxKbps: 1000, maxBurstKbps: 0 };

describe('qosRows', () => {
  it('are none of a port without limits', () => {
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
