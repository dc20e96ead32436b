import { describe, expect, it } from '@jest/globals';
import { groupSpec, rule } from '../test-cloud.fixture.js';
import { securityGroupRows, aclMatch } from './security-group-rows.js';
import type { SecurityGroupSpec } from '../../data-plane.js';

describe('securityGroupRows', () => {
  it('have no ACL for a rule with an empty address group', () => {
    const group = groupSpec(rule({ remotePrefixes: [] }), rule({ remotePrefixes: ['10.0.0.0/8'] }));
    const rows = securityGroupRows(group);
    const acls = rows.filter(({ table }) => table === 'ACL').map(({ id }) => id);
    const [, , empty, last] = group.rules;
    expect(acls).toContain(last?.id);
    expect(acls).not.toContain(empty?.id);
    expect(rows.at(-1)?.row).toMatchObject({ acls });
  });
});

type Rule = SecurityGroupSpec['rules'][number];

const ANY = rule({});

describe('aclMatch', () => {
  it.each<[Partial<Rule>, string]>([
    [{}, 'outport == @pg_a_b && ip4'],
    [{ direction: 'egress', ethertype: 'IPv6' }, 'inport == @pg_a_b && ip6'],
    [
      { remotePrefixes: ['10.0.0.0/8'], direction: 'egress' },
      'inport == @pg_a_b && ip4 && ip4.dst == 10.0.0.0/8',
    ],
    [
      { remotePrefixes: ['10.0.0.0/8', '192.0.2.1/32'] },
      'outport == @pg_a_b && ip4 && ip4.src == {10.0.0.0/8, 192.0.2.1/32}',
    ],
    [
      { remoteGroupId: 'c-d', ethertype: 'IPv6' },
      'outport == @pg_a_b && ip6 && ip6.src == $pg_c_d_ip6',
    ],
    [
      { protocol: 'tcp', portRangeMin: 80, portRangeMax: 80 },
      'outport == @pg_a_b && ip4 && tcp && tcp.dst == 80',
    ],
    [
      { protocol: '17', portRangeMin: 1, portRangeMax: 9 },
      'outport == @pg_a_b && ip4 && udp && udp.dst >= 1 && udp.dst <= 9',
    ],
    [
      { protocol: 'icmp', portRangeMin: 8, portRangeMax: 0 },
      'outport == @pg_a_b && ip4 && icmp4 && icmp4.type == 8 && icmp4.code == 0',
    ],
    [{ protocol: 'icmp', ethertype: 'IPv6' }, 'outport == @pg_a_b && ip6 && icmp6'],
    [{ protocol: 'vrrp' }, 'outport == @pg_a_b && ip4 && ip.proto == 112'],
  ])('of %j', (changes, match) => {
    expect(aclMatch('a-b', { ...ANY, ...changes })).toBe(match);
  });
});
