import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { refusalOf, startNetwork, type NetworkFixture, type Wire } from '../../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network.stop());

const PATH = '/v2.0/default-security-group-rules';

const post = (fields: object, token = network.admin) =>
  network.client.post(PATH, {
    token,
    body: { default_security_group_rule: { direction: 'ingress', ...fields } },
  });

const made = async (fields: object): Promise<string> => {
  const { body } = await post(fields);
  return (body as { default_security_group_rule: Wire }).default_security_group_rule.id;
};

const remove = (id: string, token = network.admin) =>
  network.client.delete(`${PATH}/${id}`, { token });

/** The rules of a new project's default group, and of another group. */
const newGroups = async (): Promise<{ standard: Wire[]; other: Wire[]; otherId: string }> => {
  const token = await network.tokens.issue(['member']);
  const other = await network.create('security_groups', { name: 'other' }, token);
  const [standard] = await network.list('security-groups?name=default', token);
  const rulesOf = (group: Wire | undefined) => group?.['security_group_rules'] as Wire[];
  return { standard: rulesOf(standard), other: rulesOf(other), otherId: other.id };
};

describe('default rules', () => {
  it('are those of Neutron at first', async () => {
    const rules = await network.list('default-security-group-rules', network.reader);
    const shown = rules.map((rule) =>
      [rule['direction'], rule['ethertype'], rule['remote_group_id']].join(' '),
    );
    expect(shown.sort()).toEqual([
      'egress IPv4 ',
      'egress IPv6 ',
      'ingress IPv4 PARENT',
      'ingress IPv6 PARENT',
    ]);
    const own = await network.list('default-security-group-rules?remote_group_id=PARENT');
    expect(own).toHaveLength(2);
    expect(own).toContainEqual(
      expect.objectContaining({
        description: 'Legacy default SG rule for ingress traffic',
        used_in_default_sg: true,
        used_in_non_default_sg: false,
      }),
    );
  });

  it('are copied to new groups of their kind, and stay in old ones', async () => {
    const port = { protocol: 'tcp', port_range_min: 22, port_range_max: 22 };
    const forDefault = { used_in_default_sg: true, used_in_non_default_sg: false };
    const ids = [
      await made({ ...port, ...forDefault, remote_ip_prefix: '10.1.2.3/8' }),
      await made({ protocol: 'icmp', remote_group_id: 'PARENT' }),
    ];
    const { standard, other, otherId } = await newGroups();
    expect(standard).toHaveLength(5);
    expect(standard).toContainEqual(
      expect.objectContaining({ port_range_min: 22, remote_ip_prefix: '10.0.0.0/8' }),
    );
    expect(other).toHaveLength(3);
    expect(other).toContainEqual(
      expect.objectContaining({ protocol: 'icmp', remote_group_id: otherId }),
    );
    for (const id of ids) expect((await remove(id)).status).toBe(204);
    const later = await newGroups();
    expect([later.standard.length, later.other.length]).toEqual([4, 2]);
  });

  it('are unique by kind of group', async () => {
    const fields = { protocol: 'udp', used_in_default_sg: false };
    const answers = await Promise.all([post(fields), post(fields)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const twin = await post(fields);
    expect(refusalOf(twin)).toEqual([409, 'DefaultSecurityGroupRuleExists']);
    const forDefault = { used_in_default_sg: true, used_in_non_default_sg: false };
    const id = await made({ ...fields, ...forDefault });
    await remove(id);
    for (const rule of await network.list('default-security-group-rules?protocol=udp'))
      await remove(rule.id);
  });

  it.each([
    [400, 'HTTPBadRequest', { direction: 'sideways' }],
    [400, 'SecurityGroupProtocolRequiredWithPorts', { port_range_min: 1, port_range_max: 2 }],
    [400, 'SecurityGroupRuleParameterConflict', { remote_ip_prefix: '2001:db8::/32' }],
    [
      400,
      'SecurityGroupMultipleRemoteEntites',
      { remote_group_id: 'PARENT', remote_ip_prefix: '10.0.0.0/8' },
    ],
    [400, 'HTTPBadRequest', { remote_group_id: 'CHILD' }],
    [404, 'SecurityGroupNotFound', { remote_group_id: newId() }],
    [404, 'AddressGroupNotFound', { remote_address_group_id: newId() }],
  ])('are refused with %d %s: %j', async (status, type, fields) => {
    expect(refusalOf(await post(fields))).toEqual([status, type]);
    expect(await network.list('default-security-group-rules')).toHaveLength(4);
  });

  it('are created and deleted by administrators only', async () => {
    expect(refusalOf(await post({}, network.member))).toEqual([403, 'PolicyNotAuthorized']);
    const [rule] = await network.list('default-security-group-rules');
    const id = rule?.id ?? '';
    expect(refusalOf(await remove(id, network.member))).toEqual([403, 'PolicyNotAuthorized']);
    expect(refusalOf(await remove(newId()))).toEqual([404, 'DefaultSecurityGroupRuleNotFound']);
  });

  it('are deleted with their remote group, and keep an address group', async () => {
    const group = await network.create('security_groups', { name: 'named' }, network.admin);
    const addresses = await network.create('address_groups', {}, network.admin);
    await made({ remote_group_id: group.id });
    const kept = await made({ remote_address_group_id: addresses.id });
    expect((await newGroups()).other).toContainEqual(
      expect.objectContaining({ remote_group_id: group.id }),
    );
    const drop = (path: string) => network.client.delete(path, { token: network.admin });
    expect((await drop(`/v2.0/security-groups/${group.id}`)).status).toBe(204);
    expect(await network.list(`default-security-group-rules?remote_group_id=${group.id}`)).toEqual(
      [],
    );
    const inUse = await drop(`/v2.0/address-groups/${addresses.id}`);
    expect(refusalOf(inUse)).toEqual([409, 'AddressGroupInUse']);
    await remove(kept);
  });
});
