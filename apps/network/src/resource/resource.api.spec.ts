/** The behaviour of every resource, shown with networks. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { attributesOf } from '@cumulet/common/resources/resource';
import { agentResource } from '../agents/agent.resource.js';
import { ipAvailabilityResource } from '../network-ip-availabilities/ip-availability.resource.js';
import { segmentResource } from '../segments/segment.resource.js';
import { serviceProviderResource } from '../service-providers/service-provider.resource.js';
import {
  messageOf,
  refusalOf,
  RESOURCES,
  startNetwork,
  type NetworkFixture,
} from '../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaNetworks: -1 } });
});
afterAll(() => network.stop());

const post = (body: unknown, token = network.member) =>
  network.client.post('/v2.0/networks', { token, body });

describe('an empty filter', () => {
  const OTHERS = [
    ['agents', agentResource],
    ['network-ip-availabilities', ipAvailabilityResource],
    ['segments', segmentResource],
    ['service-providers', serviceProviderResource],
  ] as const;

  it('matches empty values', async () => {
    const description = newId();
    const named = await network.create('networks', { name: 'one', description });
    const unnamed = await network.create('networks', { description });
    const found = async (query: string) =>
      (await network.list(`networks?description=${description}${query}`)).map(({ id }) => id);
    expect(await found('&name=')).toEqual([unnamed.id]);
    expect((await found('&name=&name=one')).sort()).toEqual([named.id, unnamed.id].sort());
    expect(await found('&id=')).toEqual([]);
    expect(await network.list(`networks?description=&id=${named.id}`)).toEqual([]);
  });

  it.each([...RESOURCES, ...OTHERS])(
    'exists for each attribute of %s, or is refused by name',
    async (path, resource) => {
      for (const [name, { filter }] of attributesOf(resource)) {
        if (filter === false) continue;
        const url = `/v2.0/${path}?${name}=`;
        const answer = await network.client.get(url, { token: network.admin });
        expect([name, [200, 400].includes(answer.status)]).toEqual([name, true]);
        if (answer.status === 400) expect(messageOf(answer)).toContain(name);
      }
    },
  );
});

describe('a tag', () => {
  it.each([
    ['POST', 'networks', { network: { tags: ['red', 'red'] } }],
    ['PUT', 'networks/{id}/tags', { tags: ['red', 'blue', 'red'] }],
    ['POST', 'networks/{id}/tags', { tags: ['red', 'red'] }],
  ])('is given once: %s %s', async (method, path, body) => {
    const { id } = await network.create('networks', { tags: ['green'] });
    const { member: token } = network;
    const url = `/v2.0/${path.replace('{id}', id)}`;
    const answer = await network.client.send(method, url, { token, body });
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toContain("'red' is given twice");
    expect((await network.show('networks', id))['tags']).toEqual(['green']);
  });
});

describe('a new resource', () => {
  it('shows every attribute, and its project by both names', async () => {
    const made = await network.create('networks', { name: 'one', description: 'first' });
    expect(made).toMatchObject({
      name: 'one',
      description: 'first',
      project_id: network.project,
      tenant_id: network.project,
      revision_number: 0,
      tags: [],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    expect(await network.show('networks', made.id)).toMatchObject({ name: 'one' });
  });

  it.each([
    ['Resource body required', []],
    ["Unable to find 'network' in request body", {}],
    ["Unable to find 'networks' in request body", { networks: [] }],
    ["Unrecognized attribute(s) 'colour'", { network: { colour: 'red' } }],
    ["Attribute 'status' not allowed in POST", { network: { status: 'DOWN' } }],
    [
      `Invalid input for name. Reason: '${'x'.repeat(256)}' exceeds maximum length of 255.`,
      { network: { name: 'x'.repeat(256) } },
    ],
    [
      "Invalid input for admin_state_up. Reason: 'maybe' cannot be converted to boolean.",
      { network: { admin_state_up: 'maybe' } },
    ],
    ["'project_id' and 'tenant_id' do not match", { network: { project_id: 'a', tenant_id: 'b' } }],
  ])('is refused as Neutron refuses it: %s', async (message, body) => {
    const answer = await post(body);
    if (Array.isArray(body)) {
      expect(answer.status).toBe(400);
      return;
    }
    expect(refusalOf(answer)).toEqual([400, 'HTTPBadRequest']);
    expect(messageOf(answer)).toBe(message);
  });

  it('is read as JSON without a media type', async () => {
    const send = async (type: Record<string, string>) => {
      const response = await fetch(`${network.client.baseUrl}/v2.0/networks`, {
        method: 'POST',
        headers: { 'X-Auth-Token': network.member, ...type },
        body: Buffer.from('{"network": {"name": "untyped"}}'),
      });
      return response.status;
    };
    expect(await send({})).toBe(201);
    expect(await send({ 'Content-Type': 'text/plain' })).toBe(415);
  });

  it('belongs to the project that an administrator or a service names', async () => {
    const project_id = newId();
    for (const token of [network.admin, network.service]) {
      const made = await network.create('networks', { tenant_id: project_id }, token);
      expect(made.project_id).toBe(project_id);
    }
    expect((await post({ network: {} }, network.service)).status).toBe(400);
    expect((await post({ network: { project_id } })).status).toBe(403);
  });

  it('cannot have attributes for administrators, except with default values', async () => {
    const answer = await post({ network: { shared: true } });
    expect(refusalOf(answer)).toEqual([403, 'PolicyNotAuthorized']);
    expect(messageOf(answer)).toBe('rule:create_network:shared is disallowed by policy');
    expect((await post({ network: { shared: false } })).status).toBe(201);
  });
});

describe('several at once', () => {
  it('are all created, and answered in order', async () => {
    const { status, body } = await post({ networks: [{ name: 'a' }, { name: 'b' }] });
    expect([status, body]).toMatchObject([201, { networks: [{ name: 'a' }, { name: 'b' }] }]);
  });

  it('may each be wrapped, and other keys beside them are ignored', async () => {
    const wrapped = ['one', 'two'].map((name) => ({ network: { name }, more: 1 }));
    const several = await post({ networks: wrapped, more: 1 });
    expect([several.status, several.body]).toMatchObject([
      201,
      { networks: [{ name: 'one' }, { name: 'two' }] },
    ]);
    const [{ id }] = (several.body as { networks: [{ id: string }] }).networks;
    const { member: token } = network;
    const put = (path: string, body: object) =>
      network.client.put(`/v2.0/networks/${id}${path}`, { token, body });
    expect((await put('', { network: { name: 'new' }, more: 1 })).status).toBe(200);
    expect((await put('/tags', { tags: ['red'], more: 1 })).body).toEqual({ tags: ['red'] });
  });

  it('are not created if one of them is refused', async () => {
    const [first, second] = [newId(), newId()];
    const flat = { 'provider:network_type': 'flat', 'provider:physical_network': 'public' };
    const answer = await post(
      {
        networks: [
          { name: first, ...flat },
          { name: second, ...flat },
        ],
      },
      network.admin,
    );
    expect(refusalOf(answer)).toEqual([409, 'FlatNetworkInUse']);
    expect(await network.list(`networks?name=${first}&name=${second}`, network.admin)).toEqual([]);
  });
});

describe('a change', () => {
  it('increments the revision, and can be conditional on it', async () => {
    const { id } = await network.create('networks', { name: 'before' });
    const put = (name: string, condition?: string) =>
      network.client.put(`/v2.0/networks/${id}`, {
        token: network.member,
        body: { network: { name } },
        ...(condition === undefined ? {} : { headers: { 'If-Match': condition } }),
      });
    expect((await put('after', 'revision_number=0')).status).toBe(200);
    expect((await put('early', 'revision_number=-1')).status).toBe(412);
    const late = await put('late', 'revision_number=0');
    expect(refusalOf(late)).toEqual([412, 'RevisionNumberConstraintFailed']);
    expect(refusalOf(await put('odd', '"etag"'))).toEqual([400, 'HTTPBadRequest']);
    expect(await network.show('networks', id)).toMatchObject({
      name: 'after',
      revision_number: 1,
    });
  });

  it('cannot change attributes that are set at creation', async () => {
    const { id } = await network.create('networks', {});
    const body = { network: { tenant_id: network.project } };
    const answer = await network.client.put(`/v2.0/networks/${id}`, {
      token: network.member,
      body,
    });
    expect(messageOf(answer)).toBe('Cannot update read-only attribute project_id');
  });

  it('is refused for a resource that is only shared with the caller', async () => {
    const { id } = await network.create('networks', { shared: true }, network.admin);
    expect(await network.show('networks', id)).toMatchObject({ id });
    const path = `/v2.0/networks/${id}`;
    const body = { network: { name: 'mine' } };
    const { client, member: token } = network;
    expect(refusalOf(await client.put(path, { token, body }))).toEqual([
      403,
      'PolicyNotAuthorized',
    ]);
    expect(refusalOf(await client.delete(path, { token }))).toEqual([403, 'PolicyNotAuthorized']);
  });
});

describe('a list', () => {
  let names: string[];
  const of = (query: string) => network.list(`networks?description=listed&${query}`);

  beforeAll(async () => {
    names = ['c', 'a', 'b'].map((one) => `${one}-${newId()}`);
    const fields = [{ tags: ['red', 'blue'] }, { tags: ['red'] }, { admin_state_up: false }];
    for (const [at, name] of names.entries())
      await network.create('networks', { name, description: 'listed', ...fields[at] });
  });

  const sorted = 'sort_key=name&sort_dir=asc';

  it.each([
    ['tags=red', [0, 1]],
    ['tags=red,blue', [0]],
    ['tags-any=blue,green', [0]],
    ['not-tags=red,blue', [1, 2]],
    ['not-tags-any=red', [2]],
    ['admin_state_up=False', [2]],
    ['admin_state_up=1&status=ACTIVE', [0, 1]],
    ['status=ERROR', []],
    ['id=nonsense', []],
    ['revision_number=0&mtu=1442', [0, 1, 2]],
    ['project_id=', []],
    ['changed_since=2001-01-01T00:00:00Z', [0, 1, 2]],
    ['changed_since=2101-01-01T00:00:00Z', []],
  ])('is filtered by %s', async (query, expected) => {
    const found = await of(query);
    expect(found.map(({ name }) => names.indexOf(String(name))).sort()).toEqual(expected);
  });

  it('matches any of several values of one filter', async () => {
    const found = await of(`name=${names[0]}&name=${names[2]}`);
    expect(found).toHaveLength(2);
  });

  it('is sorted by several keys', async () => {
    const found = await of('sort_key=admin_state_up&sort_dir=asc&sort_key=name&sort_dir=desc');
    expect(found.map(({ name }) => name)).toEqual([names[2], names[0], names[1]]);
  });

  it('shows only the requested fields', async () => {
    const found = await of(`${sorted}&fields=name&fields=tags`);
    expect(found[0]).toEqual({ name: names[1], tags: ['red'] });
  });

  it('has pages with links in both directions', async () => {
    const page = async (path: string) => {
      const { body } = await network.client.get(path, { token: network.member });
      const { networks, networks_links: links = [] } = body as {
        networks: { name: string }[];
        networks_links?: { rel: string; href: string }[];
      };
      const to = (rel: string): string =>
        links.find((one) => one.rel === rel)?.href.replace(network.client.baseUrl, '') ?? '';
      return { found: networks.map(({ name }) => name), to };
    };
    const first = await page(`/v2.0/networks?description=listed&${sorted}&limit=2`);
    expect(first.found).toEqual([names[1], names[2]]);
    const second = await page(first.to('next'));
    expect([second.found, second.to('next')]).toEqual([[names[0]], '']);
    const back = await page(second.to('previous'));
    expect(back.found).toEqual([names[1], names[2]]);
  });

  it.each([
    ["['colour'] is invalid attribute for filtering", 'colour=red'],
    ['The number of sort_keys and sort_dirs must be same', 'sort_key=name'],
    ["['subnets'] is invalid attribute for sort_keys", 'sort_key=subnets&sort_dir=asc'],
    [
      "['up'] is invalid value for sort_dirs, valid value is 'asc' and 'desc'",
      'sort_key=name&sort_dir=up',
    ],
    ["Bad limit request: Limit must be an integer 0 or greater and not '-1'.", 'limit=-1'],
    ["Invalid input for mtu. Reason: 'wide' is not an integer.", 'mtu=wide'],
  ])('refuses, as in Neutron: %s', async (message, query) => {
    const answer = await network.client.get(`/v2.0/networks?${query}`, { token: network.member });
    expect([refusalOf(answer), messageOf(answer)]).toEqual([[400, 'HTTPBadRequest'], message]);
  });

  it('has no page after an unknown marker', async () => {
    for (const marker of [newId(), 'nonsense']) {
      const path = `/v2.0/networks?limit=1&marker=${marker}`;
      const answer = await network.client.get(path, { token: network.member });
      expect(refusalOf(answer)).toEqual([404, 'NetworkNotFound']);
    }
  });
});

describe('tags', () => {
  it('are added, confirmed, replaced and removed', async () => {
    const { client, member: token } = network;
    const { id } = await network.create('networks', { tags: ['one'] });
    const path = `/v2.0/networks/${id}/tags`;
    const tags = async () => ((await client.get(path, { token })).body as { tags: string[] }).tags;
    expect((await client.put(`${path}/two`, { token })).status).toBe(201);
    expect((await client.get(`${path}/two`, { token })).status).toBe(204);
    await client.post(path, { token, body: { tags: ['two', 'three'] } });
    expect(await tags()).toEqual(['one', 'two', 'three']);
    expect((await client.delete(`${path}/one`, { token })).status).toBe(204);
    expect(refusalOf(await client.delete(`${path}/one`, { token }))).toEqual([404, 'TagNotFound']);
    await client.put(path, { token, body: { tags: ['new'] } });
    expect(await tags()).toEqual(['new']);
    expect((await client.delete(path, { token })).status).toBe(204);
    expect(await tags()).toEqual([]);
  });

  it.each([
    [{ tags: ['x'.repeat(256)] }, 'InvalidInput'],
    [{ tags: 'red' }, 'InvalidInput'],
    [{ colours: [] }, 'HTTPBadRequest'],
  ])('are refused: %j', async (body, type) => {
    const { id } = await network.create('networks', {});
    const answer = await network.client.put(`/v2.0/networks/${id}/tags`, {
      token: network.member,
      body,
    });
    expect(refusalOf(answer)).toEqual([400, type]);
  });
});
