import { describe, expect, it } from '@jest/globals';
import type { TreeRows } from '../tree/tree-rows.js';
import { unsupportedByOvn } from './unsupported-by-ovn.js';

const part = { provisioningStatus: 'ACTIVE' };
const ROWS = {
  loadBalancer: {
    vipQosPolicyId: null,
    vipSgIds: [],
    vipVnicType: 'normal',
    additionalVips: [],
    vipAddress: '10.0.0.30',
  },
  listeners: [
    {
      ...part,
      id: 'l',
      protocol: 'TCP',
      connectionLimit: -1,
      insertHeaders: {},
      allowedCidrs: [],
      timeoutClientData: 50_000,
      timeoutMemberConnect: 5_000,
      timeoutMemberData: 50_000,
      timeoutTcpInspect: 0,
    },
  ],
  pools: [
    {
      ...part,
      id: 'p',
      protocol: 'TCP',
      lbAlgorithm: 'SOURCE_IP_PORT',
      tlsEnabled: false,
      sessionPersistence: null,
    },
  ],
  members: [
    {
      ...part,
      id: 'm',
      address: '10.0.0.11',
      weight: 1,
      backup: false,
      monitorAddress: null,
      monitorPort: null,
    },
  ],
  healthMonitors: [{ ...part, id: 'h', poolId: 'p', type: 'TCP' }],
  l7Policies: [],
  l7Rules: [],
};

type Kind = 'listeners' | 'pools' | 'members' | 'healthMonitors';

/** With other fields of one of its parts. */
const judged = (kind: Kind, fields: object): string | undefined =>
  unsupportedByOvn({
    ...ROWS,
    [kind]: ROWS[kind].map((one) => ({ ...one, ...fields })),
  } as unknown as TreeRows);

describe('unsupportedByOvn', () => {
  it('is undefined for supported options', () => {
    expect(judged('members', {})).toBeUndefined();
    const persistence = { type: 'SOURCE_IP', persistence_granularity: null };
    expect(judged('pools', { sessionPersistence: persistence })).toBeUndefined();
  });

  it.each<[Kind, object, string]>([
    ['listeners', { protocol: 'HTTPS' }, 'protocol "HTTPS" of listener l'],
    ['listeners', { connectionLimit: 0 }, 'connection_limit 0 of listener l'],
    ['listeners', { insertHeaders: { a: 'true' } }, 'insert_headers {"a":"true"} of listener l'],
    ['listeners', { allowedCidrs: ['::/0'] }, 'allowed_cidrs ["::/0"] of listener l'],
    ['listeners', { timeoutTcpInspect: 1 }, 'timeout_tcp_inspect 1 of listener l'],
    ['pools', { protocol: 'PROXY' }, 'protocol "PROXY" of pool p'],
    ['pools', { lbAlgorithm: 'SOURCE_IP' }, 'lb_algorithm "SOURCE_IP" of pool p'],
    ['pools', { tlsEnabled: true }, 'tls_enabled true of pool p'],
    ['members', { weight: 2 }, 'weight 2 of member m'],
    ['members', { backup: true }, 'backup true of member m'],
    ['members', { monitorPort: 9 }, 'monitor_port 9 of member m'],
    ['members', { address: '::1' }, 'address ::1 of member m is of another IP version'],
    ['healthMonitors', { type: 'UDP-CONNECT' }, 'type "UDP-CONNECT" of health monitor h'],
  ])('names, for %s, %j', (kind, fields, words) => {
    expect(judged(kind, fields)).toContain(words);
  });

  it('ignores parts that are being deleted', () => {
    const gone = { weight: 2, provisioningStatus: 'PENDING_DELETE' };
    expect(judged('members', gone)).toBeUndefined();
  });
});
