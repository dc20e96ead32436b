import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import {
  accessRules,
  applicationCredentials as credentials,
  type NewCredential,
} from './application-credential.repository.js';
import { newId } from '../database/new-id.js';
import { startPeople, type People } from '../trusts/people.fixture.js';
import type { ApplicationCredentialId } from './application-credential.resource.js';

let people: People;

beforeAll(async () => {
  people = await startPeople();
});
afterAll(() => people.stop());

async function make(changes: Partial<NewCredential> = {}): Promise<ApplicationCredentialId> {
  const id = newId<ApplicationCredentialId>();
  await credentials.create(people.ctx, {
    id,
    userId: asId('ann'),
    projectId: asId('work'),
    name: id,
    description: null,
    secretHash: 'a hash',
    unrestricted: false,
    expiry: null,
    parentId: null,
    roleIds: [asId('reader')],
    accessRuleIds: [],
    ...changes,
  });
  return id;
}

describe('an application credential to log in with', () => {
  it('is found by its id, with its roles and rules', async () => {
    const rule = { service: 'compute', method: 'GET', path: '/v2.1/servers' };
    const accessRuleIds = await accessRules.ensure(people.ctx, 'ann', [rule]);
    const id = await make({ accessRuleIds, expiry: '2001-01-01T00:00:00.000000Z' });
    expect(await credentials.findForLogin(people.ctx, { id })).toMatchObject({
      id,
      userId: 'ann',
      projectId: 'work',
      secretHash: 'a hash',
      expiresAt: new Date('2001-01-01T00:00:00Z'),
      unrestricted: false,
      hasRules: true,
      roles: [{ id: 'reader', name: 'reader' }],
      accessRules: [rule],
    });
  });

  it('is found by its name and its user', async () => {
    const id = await make({ name: 'backups' });
    const byName = { name: 'ann', domain: { name: 'home' } };
    for (const user of [{ id: 'ann' }, byName, { ...byName, domain: { id: 'home' } }]) {
      const found = await credentials.findForLogin(people.ctx, { name: 'backups', user });
      expect(found?.id).toBe(id);
    }
  });

  it('is no other user’s of the same name', async () => {
    await make({ name: 'twin' });
    const ref = { name: 'twin', user: { id: 'bob' } };
    expect(await credentials.findForLogin(people.ctx, ref)).toBeUndefined();
    expect(await credentials.findForLogin(people.ctx, { id: 'twin' })).toBeUndefined();
  });
});

it('has what its roles imply', async () => {
  const id = await make({ roleIds: [asId('member')] });
  const found = await credentials.find(people.ctx, id);
  expect(found?.roles.map(({ name }) => name)).toEqual(['member', 'reader']);
});

it('is bound to nothing without rules', async () => {
  const found = await credentials.findForLogin(people.ctx, { id: await make() });
  expect(found).toMatchObject({ hasRules: false, accessRules: [] });
});

it('never shows the hash of its secret', async () => {
  const found = await credentials.find(people.ctx, await make());
  expect(JSON.stringify(found)).not.toContain('a hash');
});
