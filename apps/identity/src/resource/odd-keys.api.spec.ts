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
