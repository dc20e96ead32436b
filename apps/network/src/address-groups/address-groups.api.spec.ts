import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { messageOf, refusalOf, startNetwork, type NetworkFixture } from '../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaSecurityGroups: -1 } });
});
afterAll(() => network.stop());

const group = (addresses: string[] = [], token = network.member) =>
  network.create('address_groups', { name: 'group', addresses }, token);

const act = (id: string, action: 'add' | 'remove', body: unknown, token = network.member) =>
  network.client.put(`/v2.0/address-groups/${id}/${action}_addresses`, { token, body });

const send = (method: 'PUT' | 'DELETE', id: string, fields?: object) =>
  network.client.send(method, `/v2.0/address-groups/${id}`, {
    token: network.member,
    body: fields && { address_group: fields },
  });

describe('an address group', () => {
  it('contains addresses of both IP versions, which can be added and removed', async () => {
    const { id, addresses } = await group(['10.0.0.0/24', '2001:DB8::/32']);
    expect(addresses).toEqual(['10.0.0.0/24', '2001:db8::/32']);
    const more = await act(id, 'add', { addresses: ['10.9.0.7', '10.8.0.9/16', '10.9.0.7/32'] });
    expect(more.body).toMatchObject({
      address_group: {
        addresses: ['10.0.0.0/24', '2001:db8::/32', '10.9.0.7/32', '10.8.0.0/16'],
        revision_number: 1,
      },
    });
    const less = await act(id, 'remove', { addresses: ['10.0.0.0/24', '10.9.0.7'] });
    expect(less.body).toMatchObject({
      address_group: { addresses: ['2001:db8::/32', '10.8.0.0/16'] },
    });
  });

  it('refuses to add addresses that it has, or to remove those that it has not', async () => {
    const { id } = await group(['10.0.0.0/24']);
    const known = await act(id, 'add', { addresses: ['10.0.0.0/24', '10.1.0.0/24'] });
    expect(refusalOf(known)).toEqual([400, 'AddressesAlreadyExist']);
    expect(messageOf(known)).toContain('Addresses 10.0.0.0/24 already exist');
    const unknown = await act(id, 'remove', { addresses: ['10.0.0.0/24', '10.1.0.0/24'] });
    expect(refusalOf(unknown)).toEqual([404, 'AddressesNotFound']);
    expect(await network.show('address_groups', id)).toMatchObject({ addresses: ['10.0.0.0/24'] });
  });

  it.each([{}, { addresses: 'all' }, { addresses: ['10.0.0.0/99'] }, { addresses: ['here'] }])(
    'refuses the change %j',
    async (body) => {
      const { id } = await group();
      for (const action of ['add', 'remove'] as const)
        expect(refusalOf(await act(id, action, body))).toEqual([400, 'HTTPBadRequest']);
    },
  );

  it('refuses invalid CIDRs and duplicates', async () => {
    for (const addresses of [['10.0.0.1'], ['10.0.0.0/24', '10.0.0.0/24'], ['nowhere']]) {
      const { client, member: token } = network;
      const body = { address_group: { addresses } };
      const answer = await client.post('/v2.0/address-groups', { token, body });
      expect(refusalOf(answer)).toEqual([400, 'HTTPBadRequest']);
    }
  });

  it('drops host bits', async () => {
    const addresses = ['192.168.0.10/24', '2001:db8::f00/64'];
    const made = await network.create('address_groups', { addresses });
    expect(made['addresses']).toEqual(['192.168.0.0/24', '2001:db8::/64']);
  });

  it('can be renamed and deleted, and keeps its addresses otherwise', async () => {
    const { id } = await group();
    expect((await send('PUT', id, { name: 'new' })).body).toMatchObject({
      address_group: { name: 'new' },
    });
    expect(refusalOf(await send('PUT', id, { addresses: [] }))).toEqual([400, 'HTTPBadRequest']);
    expect((await send('DELETE', id)).status).toBe(204);
    expect(refusalOf(await send('DELETE', id))).toEqual([404, 'AddressGroupNotFound']);
  });

  it('keeps every address that several clients add at once', async () => {
    const { id } = await group();
    const added = Array.from({ length: 8 }, (_, at) => `10.0.${at}.0/24`);
    await Promise.all(added.map((one) => act(id, 'add', { addresses: [one] })));
    const { addresses } = await network.show('address_groups', id);
    expect([...(addresses as string[])].sort()).toEqual(added);
  });
});

describe('a rule that names an address group', () => {
  const rule = async (remote_address_group_id: string, fields: object = {}) => {
    const { id: security_group_id } = await network.create('security_groups', { name: 'one' });
    const { client, member: token } = network;
    const answer = await client.post('/v2.0/security-group-rules', {
      token,
      body: {
        security_group_rule: {
          security_group_id,
          direction: 'ingress',
          remote_address_group_id,
          ...fields,
        },
      },
    });
    return { answer, security_group_id };
  };
  const told = async (id: string) => {
    await network.settle();
    const { rules = [] } = network.dataPlane.securityGroups.get(id) ?? {};
    return rules.filter(({ direction }) => direction === 'ingress');
  };

  it('matches the current addresses of its IP version', async () => {
    const { id } = await group(['10.0.0.0/24', '2001:db8::/32']);
    const { security_group_id } = await rule(id);
    expect(await told(security_group_id)).toMatchObject([{ remotePrefixes: ['10.0.0.0/24'] }]);
    await act(id, 'add', { addresses: ['10.1.0.0/24'] });
    expect(await told(security_group_id)).toMatchObject([
      { remotePrefixes: ['10.0.0.0/24', '10.1.0.0/24'] },
    ]);
    await act(id, 'remove', { addresses: ['10.0.0.0/24', '10.1.0.0/24'] });
    expect(await told(security_group_id)).toMatchObject([{ remotePrefixes: [] }]);
    const six = await rule(id, { ethertype: 'IPv6' });
    expect(await told(six.security_group_id)).toMatchObject([
      { remotePrefixes: ['2001:db8::/32'] },
    ]);
  });

  it('shows the group, is found by it, and keeps it from being deleted', async () => {
    const { id } = await group();
    const { security_group_id } = await rule(id);
    const [found] = await network.list(`security-group-rules?remote_address_group_id=${id}`);
    expect(found).toMatchObject({ security_group_id, remote_address_group_id: id });
    const { security_group_rules: shown } = await network.show(
      'security_groups',
      security_group_id,
    );
    expect(shown).toContainEqual(expect.objectContaining({ remote_address_group_id: id }));
    expect(refusalOf(await send('DELETE', id))).toEqual([409, 'AddressGroupInUse']);
    await network.client.delete(`/v2.0/security-group-rules/${found?.id ?? ''}`, {
      token: network.member,
    });
    expect((await send('DELETE', id)).status).toBe(204);
  });

  it('refuses duplicates', async () => {
    const [one, other] = [await group(), await group()];
    const { security_group_id } = await rule(one.id);
    expect((await rule(other.id, { security_group_id })).answer.status).toBe(201);
    const twin = await rule(one.id, { security_group_id });
    expect(refusalOf(twin.answer)).toEqual([409, 'SecurityGroupRuleExists']);
  });

  it('requires a group of its own project', async () => {
    const foreign = await group([], network.stranger);
    for (const id of [foreign.id, newId()])
      expect(refusalOf((await rule(id)).answer)).toEqual([404, 'AddressGroupNotFound']);
  });

  it('is created concurrently with changes of address groups', async () => {
    const groups = [await group(), await group()];
    const [{ security_group_id: first }, { security_group_id: second }] = await Promise.all([
      rule(groups[0]?.id ?? ''),
      rule(groups[1]?.id ?? ''),
    ]);
    const several = (at: number) => {
      const port = { protocol: 'tcp', port_range_min: at + 1, port_range_max: at + 1 };
      const rules = [first, second].map((security_group_id, which) => ({
        security_group_id,
        direction: 'ingress',
        ...port,
        remote_address_group_id: groups[(which + at) % 2]?.id,
      }));
      return network.client.post('/v2.0/security-group-rules', {
        token: network.member,
        body: { security_group_rules: at % 2 === 0 ? rules : [...rules].reverse() },
      });
    };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => [
        several(at),
        act(groups[at % 2]?.id ?? '', 'add', { addresses: [`10.7.${at}.0/24`] }),
      ]).flat(),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill([201, 200]).flat());
    const rules = [...(await told(first)), ...(await told(second))];
    expect(rules.map(({ remotePrefixes }) => remotePrefixes?.length)).toEqual(Array(18).fill(4));
  });
});
