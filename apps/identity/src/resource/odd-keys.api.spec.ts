import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { membersOf, ODD_KEYS, oddMap, pollution } from '@cumulet/testing/odd-keys';
import { login, signedIn, startIdentity, type TestIdentity } from '../identity.fixture.js';

let identity: TestIdentity;
let token: string;

beforeAll(async () => {
  identity = await startIdentity();
  token = signedIn(
    await login(identity.client, {
      scope: { project: { name: 'admin', domain: { id: 'default' } } },
    }),
  );
});
afterAll(() => identity.stop());

const send = (method: string, path: string, body?: unknown): Promise<TestResponse> =>
  identity.client.send(method, `/v3/${path}`, { token, body });
const oddIn = (resource: unknown): unknown =>
  membersOf(resource).filter(([name]) => ODD_KEYS.includes(name));

const KINDS: readonly (readonly [string, string, object])[] = [
  ['projects', 'project', { name: 'odd' }],
  ['users', 'user', { name: 'odd' }],
  ['groups', 'group', { name: 'odd' }],
  ['roles', 'role', { name: 'odd' }],
  ['services', 'service', { name: 'odd', type: 'odd' }],
  ['regions', 'region', { id: 'odd' }],
];

describe('what is beside the resource in a body', () => {
  const beside = { more: 1, links: {}, ...oddMap(() => 1) };

  it.each(KINDS)('is ignored for %s', async (plural, kind, fields) => {
    const wanted = { ...fields, ...('id' in fields ? { id: 'beside' } : { name: 'beside' }) };
    const made = await send('POST', plural, { [kind]: wanted, ...beside });
    expect([made.status, made.text]).toEqual([201, expect.not.stringContaining('more')]);
    const { id } = (made.body as Record<string, { id: string }>)[kind] ?? { id: '' };
    const change = { [kind]: { description: 'changed' }, ...beside };
    const changed = await send('PATCH', `${plural}/${id}`, change);
    expect([changed.status, changed.text]).toEqual([200, expect.not.stringContaining('more')]);
  });

  it('is ignored for resources without a name, and for lists', async () => {
    const admin = async (plural: string): Promise<string> => {
      const { body } = await send('GET', `${plural}?name=admin`);
      return (body as Record<string, { id: string }[]>)[plural]?.[0]?.id ?? '';
    };
    const [user, project] = await Promise.all([admin('users'), admin('projects')]);
    const credential = { type: 'cert', blob: 'x', user_id: user };
    const limit = { service_id: 'none', resource_name: 'cores', default_limit: 1 };
    const answers = await Promise.all([
      send('POST', 'credentials', { credential, ...beside }),
      send('POST', `users/${user}/credentials/OS-EC2`, { tenant_id: project, ...beside }),
      send('PUT', `projects/${project}/tags`, { tags: ['red'], ...beside }),
      send('PUT', 'regions/chosen', { region: {}, ...beside }),
      // The validation accepts it: the service does not exist.
      send('POST', 'registered_limits', { registered_limits: [limit], ...beside }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 201, 400]);
    expect(answers.at(-1)?.text).toContain('service');
  });

  it('is refused in resources without further properties', async () => {
    const limit = { service_id: 'none', resource_name: 'cores', default_limit: 1, more: 1 };
    const { status, text } = await send('POST', 'registered_limits', {
      registered_limits: [limit],
    });
    expect([status, text]).toEqual([400, expect.stringContaining('registered_limits.0.more')]);
  });
});

describe('properties with names that every object has', () => {
  it.each(KINDS)('are kept in %s', async (plural, kind, fields) => {
    const made = await send('POST', plural, { [kind]: { ...fields, ...oddMap(() => ['one']) } });
    expect([made.status, made.text]).toEqual([201, expect.stringContaining('constructor')]);
    const one = (made.body as Record<string, { id: string }>)[kind];
    expect(oddIn(one)).toEqual(membersOf(oddMap(() => ['one'])));
    const change = { [kind]: oddMap(() => 'two') };
    expect((await send('PATCH', `${plural}/${one?.id ?? ''}`, change)).status).toBe(200);
    const listed = (await send('GET', plural)).body as Record<string, { id: string }[]>;
    const found = listed[plural]?.find(({ id }) => id === one?.id);
    expect(oddIn(found)).toEqual(membersOf(oddMap(() => 'two')));
    expect(pollution()).toEqual([]);
  });

  it('are ignored in a login', async () => {
    const user = { name: 'admin', domain: { id: 'default' }, password: 'wrong' };
    const asked = { methods: ['password'], password: { user, ...oddMap(() => ({})) } };
    const body = { auth: { identity: asked, ...oddMap(() => 1) }, ...oddMap(() => 1) };
    expect((await identity.client.post('/v3/auth/tokens', { body })).status).toBe(401);
  });
});
