import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { errorOf, TestSecrets } from '../secrets.fixture.js';

let secrets: TestSecrets;

beforeAll(async () => {
  secrets = await TestSecrets.start();
});
afterAll(() => secrets.stop());

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);

describe.each([
  ['secrets', () => secrets.create()],
  ['containers', () => secrets.contain('generic')],
])('the ACL of %s', (collection, make) => {
  let path: string;
  beforeEach(async () => {
    path = `/${collection}/${await make()}/acl`;
  });

  const send = (method: string, body?: unknown): Promise<TestResponse> =>
    secrets.send(method, path, { body });
  const shown = async (): Promise<unknown> => (await send('GET')).body;

  it('lets the project read by default', async () => {
    expect(await shown()).toEqual({ read: { 'project-access': true } });
  });

  it('is set as a whole', async () => {
    const answer = await send('PUT', { read: { users: ['u1', 'u2', 'u1'] } });
    const ref = `${secrets.client.baseUrl}/v1${path}`;
    expect([answer.status, answer.body]).toEqual([200, { acl_ref: ref }]);
    const read = { 'project-access': true, users: ['u1', 'u2'], created: TIME, updated: TIME };
    expect(await shown()).toEqual({ read });
    await send('PUT', { read: { 'project-access': false } });
    expect(await shown()).toEqual({ read: { ...read, 'project-access': false, users: [] } });
    await send('PUT', {});
    expect(await shown()).toEqual({ read: { 'project-access': true } });
  });

  it('changes only the given properties', async () => {
    await send('PATCH', { read: { users: ['u1'] } });
    expect(await shown()).toMatchObject({ read: { 'project-access': true, users: ['u1'] } });
    await send('PATCH', { read: { 'project-access': false } });
    await send('PATCH', {});
    expect(await shown()).toMatchObject({ read: { 'project-access': false, users: ['u1'] } });
  });

  it('is deleted', async () => {
    await send('PUT', { read: { users: ['u1'], 'project-access': false } });
    const answer = await send('DELETE');
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await shown()).toEqual({ read: { 'project-access': true } });
    expect((await send('DELETE')).status).toBe(200);
  });

  it.each([
    ['another operation', { write: { users: [] } }, 'write is not a property'],
    ['no object', { read: ['u1'] }, 'read must be an object'],
    ['a user that is none', { read: { users: [7] } }, 'users'],
    ['no list', { read: { users: 'u1' } }, 'users must be an array'],
    [
      'a word for access',
      { read: { 'project-access': 'yes' } },
      'project-access must be a boolean',
    ],
    ['too many users', { read: { users: Array(1_001).fill('u') } }, 'no more than 1000'],
  ])('refuses %s, and stays', async (_what, body, message) => {
    await send('PUT', { read: { users: ['u1'] } });
    for (const method of ['PUT', 'PATCH'])
      expect(errorOf(await send(method, body))).toEqual([400, expect.stringContaining(message)]);
    expect(await shown()).toMatchObject({ read: { users: ['u1'] } });
  });
});
