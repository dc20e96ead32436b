import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messageOf, refusalOf, startNetwork } from '../../network.fixture.js';
import type { NetworkFixture, Wire } from '../../network.fixture.js';

let network: NetworkFixture;
let security_group_id: string;

beforeAll(async () => {
  network = await startNetwork();
  ({ id: security_group_id } = await network.create('security_groups', { name: 'group' }));
});
afterAll(() => network.stop());

const post = (fields: object) =>
  network.client.post('/v2.0/security-group-rules', {
    token: network.member,
    body: { security_group_rule: { security_group_id, direction: 'ingress', ...fields } },
  });

describe('a rule', () => {
  it.each([
    [{}, { ethertype: 'IPv4', protocol: null, remote_ip_prefix: null }],
    [
      { protocol: 'TCP', port_range_min: '22', port_range_max: 22 },
      { protocol: 'tcp', port_range_min: 22 },
    ],
    [
      { protocol: 132, port_range_min: 1, port_range_max: 65_535 },
      { protocol: '132', port_range_max: null },
    ],
    [
      { protocol: 'icmp', port_range_min: 8, port_range_max: 0 },
      { port_range_min: 8, port_range_max: 0 },
    ],
    [{ protocol: 'icmpv6', ethertype: 'IPv6' }, { protocol: 'ipv6-icmp' }],
    [
      { protocol: 'udp', remote_ip_prefix: '10.1.2.3/8' },
      { remote_ip_prefix: '10.1.2.3/8', normalized_cidr: '10.0.0.0/8' },
    ],
    [{ protocol: 'udp', remote_ip_prefix: '10.1.2.3' }, { remote_ip_prefix: '10.1.2.3/32' }],
  ])('%j has a canonical form', async (fields, shown) => {
    const { status, body } = await post(fields);
    expect([status, body]).toMatchObject([201, { security_group_rule: shown }]);
  });

  it('is the same, and found, by any spelling of its addresses', async () => {
    const fields = { protocol: 'tcp', port_range_min: 7, port_range_max: 7 };
    const first = await post({ ...fields, remote_ip_prefix: '10.9.1.2/16' });
    const { security_group_rule: rule } = first.body as { security_group_rule: Wire };
    const twin = await post({ ...fields, remote_ip_prefix: '10.9.0.0/16' });
    expect(refusalOf(twin)).toEqual([409, 'SecurityGroupRuleExists']);
    for (const filter of [
      'remote_ip_prefix=10.9.0.0/16',
      'remote_ip_prefix=10.9.1.2/16',
      'normalized_cidr=10.9.0.0/16',
    ])
      expect((await network.list(`security-group-rules?${filter}`)).map(({ id }) => id)).toEqual([
        rule.id,
      ]);
    const group = await network.show('security_groups', security_group_id);
    expect(group['security_group_rules']).toContainEqual(
      expect.objectContaining({ remote_ip_prefix: '10.9.1.2/16', normalized_cidr: '10.9.0.0/16' }),
    );
    expect(JSON.stringify(group)).not.toContain('given_ip_prefix');
    await network.client.delete(`/v2.0/security-group-rules/${rule.id}`, { token: network.member });
  });

  it('is unique', async () => {
    const fields = { protocol: 'tcp', port_range_min: 9, port_range_max: 9 };
    const answers = await Promise.all([post(fields), post(fields)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused && refusalOf(refused)).toEqual([409, 'SecurityGroupRuleExists']);
    expect(refused && messageOf(refused)).toMatch(/Rule id is [0-9a-f-]{36}\./);
  });

  it.each([
    ['SecurityGroupProtocolRequiredWithPorts', { port_range_min: 1, port_range_max: 2 }],
    ['SecurityGroupInvalidPortRange', { protocol: 'tcp', port_range_min: 9, port_range_max: 8 }],
    ['SecurityGroupInvalidPortRange', { protocol: 'tcp', port_range_min: 9 }],
    ['SecurityGroupInvalidPortValue', { protocol: 'tcp', port_range_min: 0, port_range_max: 9 }],
    [
      'SecurityGroupInvalidProtocolForPort',
      { protocol: 'gre', port_range_min: 1, port_range_max: 2 },
    ],
    ['SecurityGroupInvalidIcmpValue', { protocol: 'icmp', port_range_min: 256 }],
    ['SecurityGroupMissingIcmpType', { protocol: 'icmp', port_range_max: 3 }],
    ['SecurityGroupEthertypeConflictWithProtocol', { protocol: 'ipv6-icmp' }],
    ['SecurityGroupRuleParameterConflict', { remote_ip_prefix: '2001:db8::/32' }],
    ['HTTPBadRequest', { remote_ip_prefix: '10.0.0.0/99' }],
    ['HTTPBadRequest', { protocol: 'carrier-pigeon' }],
    ['HTTPBadRequest', { protocol: 256 }],
    ['HTTPBadRequest', { direction: 'sideways' }],
    ['SecurityGroupInvalidPortValue', { port_range_min: 65_536 }],
  ])('is refused with %s: %j', async (type, fields) => {
    expect(refusalOf(await post(fields))).toEqual([400, type]);
  });

  it('increments the revision of its group, as does its deletion', async () => {
    const group = await network.create('security_groups', { name: 'other' });
    const revision = async () => (await network.show('security_groups', group.id)).revision_number;
    const rule = await network.create('security_group_rules', {
      security_group_id: group.id,
      direction: 'ingress',
      protocol: 'tcp',
    });
    expect(await revision()).toBe(1);
    await network.client.delete(`/v2.0/security-group-rules/${rule.id}`, { token: network.member });
    expect(await revision()).toBe(2);
  });

  it('has one remote at most', async () => {
    const { id } = await network.create('address_groups', {});
    const prefix = { remote_ip_prefix: '10.0.0.0/8' };
    for (const fields of [
      { remote_group_id: security_group_id, ...prefix },
      { remote_address_group_id: id, ...prefix },
      { remote_address_group_id: id, remote_group_id: security_group_id },
    ])
      expect(refusalOf(await post(fields))).toEqual([400, 'SecurityGroupMultipleRemoteEntites']);
  });

  it('can change its description only, and can be deleted', async () => {
    const rule = await network.create('security_group_rules', {
      security_group_id,
      direction: 'egress',
      protocol: 'vrrp',
    });
    const path = `/v2.0/security-group-rules/${rule.id}`;
    const { client, member: token } = network;
    const change = { security_group_rule: { protocol: 'tcp' } };
    expect((await client.put(path, { token, body: change })).status).toBe(400);
    expect((await client.delete(path, { token })).status).toBe(204);
    await network.settle();
    const { rules = [] } = network.dataPlane.securityGroups.get(security_group_id) ?? {};
    expect(rules.map(({ protocol }) => protocol)).not.toContain('vrrp');
  });

  it('is filtered by its attributes', async () => {
    const found = await network.list(
      `security-group-rules?security_group_id=${security_group_id}&protocol=tcp&port_range_min=22`,
    );
    expect(found).toMatchObject([{ protocol: 'tcp', port_range_min: 22 }]);
  });
});
