/** The policy, with ACLs and without. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf, SECRET, TestSecrets } from '../secrets.fixture.js';

let secrets: TestSecrets;
/** A reader of another project, and the user that it is. */
let guest: string;
const guestId = newId();

beforeAll(async () => {
  secrets = await TestSecrets.start();
  guest = await secrets.started.tokens.issue(['reader'], { userId: guestId });
});
afterAll(() => secrets.stop());

const consumer = () => ({ service: 's', resource_type: 't', resource_id: newId() });

/** The status of each operation on a secret for a token. */
const OPERATIONS = {
  show: (id, token) => secrets.send('GET', `/secrets/${id}`, { token }),
  open: (id, token) => secrets.payload(id, token),
  metadata: (id, token) => secrets.send('GET', `/secrets/${id}/metadata`, { token }),
  consumers: (id, token) => secrets.send('GET', `/secrets/${id}/consumers`, { token }),
  consume: (id, token) =>
    secrets.send('POST', `/secrets/${id}/consumers`, { token, body: consumer() }),
  annotate: (id, token) =>
    secrets.send('PUT', `/secrets/${id}/metadata`, { token, body: { metadata: {} } }),
  acl: (id, token) => secrets.send('GET', `/secrets/${id}/acl`, { token }),
  share: (id, token) => secrets.send('PATCH', `/secrets/${id}/acl`, { token, body: {} }),
  delete: (id, token) => secrets.send('DELETE', `/secrets/${id}?force=true`, { token }),
} as const satisfies Readonly<
  Record<string, (id: string, token: string) => Promise<{ readonly status: number }>>
>;

async function answers(id: string, token: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [name, ask] of Object.entries(OPERATIONS)) found[name] = (await ask(id, token)).status;
  return found;
}

const READ = { show: 200, open: 200, metadata: 200, consumers: 200, consume: 200 };
const WRITTEN = { annotate: 201, acl: 200, share: 200, delete: 204 };
const all = (status: number) =>
  Object.fromEntries(Object.keys(OPERATIONS).map((name) => [name, status]));

describe('a secret without an ACL', () => {
  let id: string;
  beforeEach(async () => {
    id = await secrets.create();
  });

  it.each(['member', 'colleague', 'projectAdmin'] as const)('is open to the %s', async (who) => {
    expect(await answers(id, secrets[who])).toEqual({ ...READ, ...WRITTEN });
  });

  it('is closed to a reader of its project', async () => {
    expect(await answers(id, secrets.reader)).toEqual(all(403));
  });

  it('does not exist for another project, or for a service that names no project', async () => {
    expect(await answers(id, secrets.stranger)).toEqual(all(404));
    expect(await answers(id, secrets.service)).toEqual(all(404));
  });

  it('is open to an administrator of another project, except its payload', async () => {
    expect(await answers(id, secrets.admin)).toEqual({ ...READ, ...WRITTEN, open: 403 });
  });
});

describe('a private secret', () => {
  let id: string;
  beforeEach(async () => {
    id = await secrets.create();
    const body = { read: { 'project-access': false } };
    await secrets.send('PUT', `/secrets/${id}/acl`, { body });
  });

  it.each(['member', 'projectAdmin'] as const)('is open to the %s', async (who) => {
    expect(await answers(id, secrets[who])).toEqual({ ...READ, ...WRITTEN });
  });

  it('is closed to others of its project, and names who has access', async () => {
    expect(await answers(id, secrets.colleague)).toEqual(all(403));
    expect(errorOf(await secrets.payload(id, secrets.colleague))).toEqual([
      403,
      expect.stringContaining(`(secret:decrypt) with secret ${id}. Allowed: `),
    ]);
  });

  it('is closed to a service that acts for its project', async () => {
    const headers = { 'X-Project-Id': secrets.project };
    expect((await secrets.payload(id, secrets.service, headers)).status).toBe(403);
  });
});

describe('a secret whose ACL names a user of another project', () => {
  let id: string;
  beforeEach(async () => {
    id = await secrets.create();
    await secrets.send('PUT', `/secrets/${id}/acl`, { body: { read: { users: [guestId] } } });
  });

  it('can be read by the user, whatever its role, and not written', async () => {
    const written = Object.fromEntries(Object.keys(WRITTEN).map((name) => [name, 403]));
    expect(await answers(id, guest)).toEqual({ ...READ, ...written });
  });

  it('is in the list of what is shared with the user, and in no list of its project', async () => {
    const token = await secrets.started.tokens.issue(['member'], { userId: guestId });
    const { body } = await secrets.send('GET', '/secrets?acl_only=true', { token });
    expect(JSON.stringify(body)).toContain(id);
    expect((await secrets.send('GET', '/secrets', { token })).body).toEqual({
      secrets: [],
      total: 0,
    });
  });

  it('does not exist for the user after the ACL is deleted', async () => {
    await secrets.send('DELETE', `/secrets/${id}/acl`);
    const token = await secrets.started.tokens.issue(['member'], { userId: guestId });
    expect(await answers(id, token)).toEqual(all(404));
  });
});

describe('a sister service', () => {
  const acting = (projectId: string) => ({ 'X-Project-Id': projectId });

  it('is served as a member of the project that it names', async () => {
    const id = await secrets.create();
    const answer = await secrets.payload(id, secrets.service, acting(secrets.project));
    expect([answer.status, answer.text]).toEqual([200, SECRET.payload]);
  });

  it('cannot be made to read secrets of another project', async () => {
    const id = await secrets.create();
    const container = await secrets.contain('generic', { one: id });
    const token = secrets.service;
    const headers = acting(newId());
    expect((await secrets.payload(id, token, headers)).status).toBe(404);
    for (const path of [`/secrets/${id}`, `/containers/${container}`])
      expect((await secrets.send('GET', path, { token, headers })).status).toBe(404);
  });

  it('reads by an ACL that names it, whatever project it acts for', async () => {
    const id = await secrets.create();
    const userId = newId();
    await secrets.send('PUT', `/secrets/${id}/acl`, {
      body: { read: { users: [userId], 'project-access': false } },
    });
    const token = await secrets.started.tokens.issue(['service'], { userId });
    expect((await secrets.payload(id, token, acting(newId()))).text).toBe(SECRET.payload);
    expect((await secrets.payload(id, token)).text).toBe(SECRET.payload);
  });

  it('is the only caller who can name a project', async () => {
    const id = await secrets.create();
    for (const token of [secrets.stranger, secrets.admin]) {
      const headers = acting(secrets.project);
      expect([403, 404]).toContain((await secrets.payload(id, token, headers)).status);
    }
  });
});
