import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIdentity, tokenOf, type TestIdentity } from '../identity.fixture.js';
import { changeUser, logIn, makeUser, PASSWORD, statusOf, tokenOfUser } from './user.fixture.js';

let identity: TestIdentity;
let admin: string;

beforeAll(async () => {
  identity = await startIdentity();
  admin = await tokenOf(identity.client);
});
afterAll(() => identity.stop());

describe('the token of a user', () => {
  let id: string;
  let token: string;
  let bystander: string;

  beforeAll(async () => {
    bystander = await tokenOfUser(identity, (await makeUser(identity, admin)).id);
  });

  async function newToken(): Promise<void> {
    ({ id } = await makeUser(identity, admin));
    token = await tokenOfUser(identity, id);
    expect(await statusOf(identity, token)).toBe(200);
  }

  it.each<[string, object]>([
    ['disabled', { enabled: false }],
    ['given another password', { password: 'another password' }],
    ['given the same password once more', { password: PASSWORD }],
    ['left without a password', { password: null }],
  ])('is refused at once where the user is %s', async (_, change) => {
    await newToken();
    expect((await changeUser(identity, admin, id, change)).status).toBe(200);
    expect(await statusOf(identity, token)).toBe(401);
    expect(await statusOf(identity, bystander)).toBe(200);
  });

  it('is refused at once where the user is deleted', async () => {
    await newToken();
    expect((await identity.client.delete(`/v3/users/${id}`, { token: admin })).status).toBe(204);
    expect(await statusOf(identity, token)).toBe(401);
  });

  it('stays good where something else is changed', async () => {
    await newToken();
    await changeUser(identity, admin, id, { description: 'changed', enabled: true });
    expect(await statusOf(identity, token)).toBe(200);
  });
});

describe('a login', () => {
  it('takes the new password and no longer the old one', async () => {
    const { id } = await makeUser(identity, admin);
    await changeUser(identity, admin, id, { password: 'another password' });
    expect((await logIn(identity, id, PASSWORD)).status).toBe(401);
    expect((await logIn(identity, id, 'another password')).status).toBe(201);
  });

  it('is refused to a user that is disabled, and not once it is enabled again', async () => {
    const { id } = await makeUser(identity, admin, { enabled: false });
    expect((await logIn(identity, id)).status).toBe(401);
    await changeUser(identity, admin, id, { enabled: true });
    expect((await logIn(identity, id)).status).toBe(201);
  });

  it('is refused to a user without a password', async () => {
    const { id } = await makeUser(identity, admin);
    await changeUser(identity, admin, id, { password: null });
    expect((await logIn(identity, id)).status).toBe(401);
  });
});
