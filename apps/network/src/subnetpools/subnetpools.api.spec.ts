import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { messageOf, refusalOf, startNetwork, type NetworkFixture } from '../network.fixture.js';

let network: NetworkFixture;
let other: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaNetworks: -1, quotaSubnets: -1 } });
  other = await startNetwork({ beside: network });
});
afterAll(async () => {
  await other.stop();
  await network.stop();
});

const pool = (fields: object = {}, token = network.member) =>
  network.create('subnetpools', { name: 'pool', prefixes: ['10.0.0.0/16'], ...fields }, token);

const post = (fields: object, token = network.member, { client } = network) =>
  client.post('/v2.0/subnetpools', {
    token,
    body: { subnetpool: { name: 'pool', prefixes: ['10.0.0.0/16'], ...fields } },
  });

const put = (id: string, subnetpool: object, token = network.member) =>
  network.client.put(`/v2.0/subnetpools/${id}`, { token, body: { subnetpool } });

const act = (id: string, action: string, body: object, token = network.member) =>
  network.client.put(`/v2.0/subnetpools/${id}/${action}`, { token, body });

const scope = async (fields: object = {}, token = network.member) =>
  (await network.create('address_scopes', { name: 'one', ip_version: 4, ...fields }, token)).id;

const subnet = async (subnetpool_id: string, fields: object = {}) => {
  const { id: network_id } = await network.create('networks', {});
  return network.create('subnets', { network_id, ip_version: 4, subnetpool_id, ...fields });
};

describe('a subnet pool', () => {
  it('has defaults that follow from its prefixes, which are merged', async () => {
    const four = await pool({ prefixes: ['10.1.0.0/16', '10.0.0.1/16', '10.0.9.0/24'] });
    expect(four).toMatchObject({
      prefixes: ['10.0.0.0/15'],
      ip_version: 4,
      min_prefixlen: '8',
      default_prefixlen: '8',
      max_prefixlen: '32',
      default_quota: null,
      is_default: false,
      shared: false,
      address_scope_id: null,
    });
    const six = await pool({ prefixes: ['2001:DB8::/48'], default_prefixlen: '80' });
    expect(six).toMatchObject({
      prefixes: ['2001:db8::/48'],
      ip_version: 6,
      min_prefixlen: '64',
      default_prefixlen: '80',
      max_prefixlen: '128',
    });
  });

  it.each([
    [400, 'HTTPBadRequest', { name: ' ' }],
    [400, 'HTTPBadRequest', { prefixes: ['10.0.0.0'] }],
    [400, 'HTTPBadRequest', { prefixes: ['10.0.0.0/8', '10.0.0.0/8'] }],
    [400, 'EmptySubnetPoolPrefixList', { prefixes: [] }],
    [400, 'PrefixVersionMismatch', { prefixes: ['10.0.0.0/8', '2001:db8::/32'] }],
    [400, 'HTTPBadRequest', { min_prefixlen: -1 }],
    [400, 'IllegalSubnetPoolPrefixBounds', { min_prefixlen: 24, max_prefixlen: 16 }],
    [400, 'IllegalSubnetPoolPrefixBounds', { max_prefixlen: 33 }],
    [400, 'IllegalSubnetPoolPrefixBounds', { min_prefixlen: 24, default_prefixlen: 16 }],
    [400, 'IllegalSubnetPoolPrefixBounds', { max_prefixlen: 24, default_prefixlen: 28 }],
    [400, 'HTTPBadRequest', { default_quota: -1 }],
    [403, 'PolicyNotAuthorized', { shared: true }],
    [403, 'PolicyNotAuthorized', { is_default: true }],
    [404, 'AddressScopeNotFound', { address_scope_id: newId() }],
  ])('is refused with %d %s: %j', async (status, type, fields) => {
    const before = (await network.list('subnetpools')).length;
    expect(refusalOf(await post(fields))).toEqual([status, type]);
    expect(await network.list('subnetpools')).toHaveLength(before);
  });

  it('is validated again on a change, and keeps its prefixes', async () => {
    const { id } = await pool({ min_prefixlen: 20 });
    expect((await put(id, { name: 'new', max_prefixlen: 28 })).body).toMatchObject({
      subnetpool: { name: 'new', max_prefixlen: '28', default_prefixlen: '20', revision_number: 1 },
    });
    const refused = async (fields: object) => refusalOf(await put(id, fields));
    expect(await refused({ default_prefixlen: 16 })).toEqual([
      400,
      'IllegalSubnetPoolPrefixBounds',
    ]);
    const lost = [400, 'IllegalSubnetPoolPrefixUpdate'];
    expect(await refused({ prefixes: ['10.0.0.0/17'] })).toEqual(lost);
    expect(await refused({ prefixes: ['2001:db8::/48'] })).toEqual(lost);
    expect(await refused({ prefixes: [] })).toEqual([400, 'EmptySubnetPoolPrefixList']);
    expect((await put(id, { prefixes: ['10.0.0.0/15'] })).body).toMatchObject({
      subnetpool: { prefixes: ['10.0.0.0/15'] },
    });
  });

  it('gains and loses prefixes, except those of its subnets', async () => {
    const { id } = await pool();
    const prefixes = async (action: string, some: string[]) =>
      (await act(id, action, { prefixes: some })).body;
    expect(await prefixes('add_prefixes', ['10.1.0.0/16'])).toEqual({ prefixes: ['10.0.0.0/15'] });
    await subnet(id, { cidr: '10.1.0.0/24' });
    const inUse = await act(id, 'remove_prefixes', { prefixes: ['10.1.0.0/20'] });
    expect(refusalOf(inUse)).toEqual([400, 'IllegalSubnetPoolPrefixUpdate']);
    expect(await prefixes('remove_prefixes', ['10.0.0.0/16', '192.168.0.0/16'])).toEqual({
      prefixes: ['10.1.0.0/16'],
    });
  });

  it.each([{}, { prefixes: [] }, { prefixes: '10.0.0.0/8' }, { prefixes: ['10.0.0.0'] }])(
    'refuses to change prefixes by %j',
    async (body) => {
      const { id } = await pool();
      for (const action of ['add_prefixes', 'remove_prefixes'])
        expect(refusalOf(await act(id, action, body))).toEqual([400, 'HTTPBadRequest']);
    },
  );

  it('is not deleted while it has subnets', async () => {
    const { id } = await pool();
    const { id: subnetId } = await subnet(id, { prefixlen: 24 });
    const remove = (path: string) =>
      network.client.delete(`/v2.0/${path}`, { token: network.member });
    expect(refusalOf(await remove(`subnetpools/${id}`))).toEqual([400, 'SubnetPoolDeleteError']);
    await remove(`subnets/${subnetId}`);
    expect((await remove(`subnetpools/${id}`)).status).toBe(204);
  });

  it('counts against the quota', async () => {
    await network.client.put(`/v2.0/quotas/${network.project}`, {
      token: network.admin,
      body: { quota: { subnetpool: 0 } },
    });
    expect(refusalOf(await post({}))).toEqual([413, 'OverQuota']);
    await network.client.delete(`/v2.0/quotas/${network.project}`, { token: network.admin });
  });

  it('is the default of its IP version, which has at most one', async () => {
    const { id } = await pool({ is_default: true, shared: true }, network.admin);
    const other = { is_default: true };
    expect(refusalOf(await post(other, network.admin))).toEqual([400, 'InvalidInput']);
    const { id: second } = await pool({}, network.admin);
    expect(refusalOf(await put(second, other, network.admin))).toEqual([400, 'InvalidInput']);
    await put(id, { is_default: false }, network.admin);
    expect((await put(second, other, network.admin)).status).toBe(200);
    await put(second, { is_default: false }, network.admin);
  });
});

describe('pools in an address scope', () => {
  it('do not overlap, also for concurrent requests', async () => {
    const address_scope_id = await scope({ shared: true }, network.admin);
    // Requests of a single project would wait for each other at its quota.
    const tokens = await Promise.all(
      Array.from({ length: 12 }, () => network.tokens.issue(['member'])),
    );
    const answers = await Promise.all(
      tokens.map((token, at) => {
        const prefixes = [`10.0.${at}.0/24`, '10.0.64.0/24'];
        return post({ address_scope_id, prefixes }, token, at % 2 === 0 ? network : other);
      }),
    );
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    expect([made.length, refused.length]).toEqual([1, tokens.length - 1]);
    const whole = await post({ address_scope_id, prefixes: ['10.0.0.0/8'] });
    expect(refusalOf(whole)).toEqual([409, 'AddressScopePrefixConflict']);
  });

  it('must have its IP version', async () => {
    const address_scope_id = await scope({ ip_version: 6 });
    expect(refusalOf(await post({ address_scope_id }))).toEqual([
      400,
      'IllegalSubnetPoolIpVersionAssociationToAddressScope',
    ]);
  });

  it('cannot be changed by projects that the scope is only shared with', async () => {
    const address_scope_id = await scope({ shared: true }, network.admin);
    const { id } = await pool({ address_scope_id, prefixes: ['10.77.0.0/16'] });
    const illegal = [400, 'IllegalSubnetPoolUpdate'];
    expect(refusalOf(await put(id, { name: 'new' }))).toEqual(illegal);
    expect(refusalOf(await act(id, 'add_prefixes', { prefixes: ['10.78.0.0/16'] }))).toEqual(
      illegal,
    );
    expect((await put(id, { name: 'new' }, network.admin)).status).toBe(200);
  });

  it('determine the scope of their networks', async () => {
    const address_scope_id = await scope();
    const { id } = await pool({ address_scope_id });
    const made = await subnet(id, { prefixlen: 24 });
    const shown = await network.show('networks', made['network_id'] as string);
    expect(shown).toMatchObject({
      ipv4_address_scope: address_scope_id,
      ipv6_address_scope: null,
    });
    expect((await put(id, { address_scope_id: null })).status).toBe(200);
    expect(await network.show('networks', shown.id)).toMatchObject({ ipv4_address_scope: null });
  });

  it('keep all subnets of a network in one scope', async () => {
    const address_scope_id = await scope();
    const one = await pool({ address_scope_id, prefixes: ['10.1.0.0/16'] });
    const other = await pool({ address_scope_id, prefixes: ['10.2.0.0/16'] });
    const first = await subnet(one.id, { prefixlen: 24 });
    const beside = { network_id: first['network_id'], ip_version: 4, prefixlen: 24 };
    await network.create('subnets', { ...beside, subnetpool_id: other.id });
    const elsewhere = await put(one.id, { address_scope_id: await scope() });
    expect(refusalOf(elsewhere)).toEqual([400, 'NetworkAddressScopeAffinityError']);
    const outside = await pool({ prefixes: ['10.3.0.0/16'] });
    const { status, body } = await network.client.post('/v2.0/subnets', {
      token: network.member,
      body: { subnet: { ...beside, subnetpool_id: outside.id } },
    });
    expect([status, body]).toMatchObject([
      400,
      { NetworkError: { type: 'NetworkAddressScopeAffinityError' } },
    ]);
  });
});

describe('subnets that are onboarded into a pool', () => {
  it('are part of it from then on, with their addresses', async () => {
    const { network: own, subnet: made } = await network.networkWith('172.16.5.0/24');
    const { id } = await pool();
    const answer = await act(id, 'onboard_network_subnets', { network_id: own.id });
    expect([answer.status, answer.body]).toEqual([200, [{ id: made.id, cidr: '172.16.5.0/24' }]]);
    expect(await network.show('subnets', made.id)).toMatchObject({ subnetpool_id: id });
    expect(await network.show('subnetpools', id)).toMatchObject({
      prefixes: ['10.0.0.0/16', '172.16.5.0/24'],
    });
    const again = await act(id, 'onboard_network_subnets', { network_id: own.id });
    expect(refusalOf(again)).toEqual([400, 'IllegalSubnetPoolUpdate']);
  });

  it('must be on the caller’s own networks', async () => {
    const { id } = await pool();
    const shared = await network.create('networks', { shared: true }, network.admin);
    const ask = async (body: object) => refusalOf(await act(id, 'onboard_network_subnets', body));
    expect(await ask({})).toEqual([400, 'InvalidInput']);
    expect(await ask({ network_id: newId() })).toEqual([404, 'NetworkNotFound']);
    expect(await ask({ network_id: 'nothing' })).toEqual([404, 'NetworkNotFound']);
    expect(await ask({ network_id: shared.id })).toEqual([403, 'NotAuthorized']);
  });

  it('must not overlap with another pool of the scope', async () => {
    const address_scope_id = await scope();
    await pool({ address_scope_id, prefixes: ['172.16.0.0/16'] });
    const { id } = await pool({ address_scope_id });
    const { network: own, subnet: made } = await network.networkWith('172.16.5.0/24');
    const answer = await act(id, 'onboard_network_subnets', { network_id: own.id });
    expect(refusalOf(answer)).toEqual([409, 'AddressScopePrefixConflict']);
    expect(await network.show('subnets', made.id)).toMatchObject({ subnetpool_id: null });
  });
});

describe('pools of other projects', () => {
  it('can be used if they are shared, and are not found otherwise', async () => {
    const hidden = await pool({}, network.stranger);
    const { id: network_id } = await network.create('networks', {});
    const ask = (subnetpool_id: string) =>
      network.client.post('/v2.0/subnets', {
        token: network.member,
        body: { subnet: { network_id, ip_version: 4, subnetpool_id, prefixlen: 24 } },
      });
    const answer = await ask(hidden.id);
    expect(refusalOf(answer)).toEqual([404, 'SubnetPoolNotFound']);
    expect(messageOf(answer)).toBe(`Subnet pool ${hidden.id} could not be found.`);
    const shared = await pool({ shared: true, prefixes: ['10.99.0.0/16'] }, network.admin);
    expect((await ask(shared.id)).status).toBe(201);
    expect(refusalOf(await put(shared.id, { name: 'mine' }))).toEqual([403, 'PolicyNotAuthorized']);
  });
});
