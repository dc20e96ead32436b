import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import { newId } from '../database/new-id.js';
import type { RoleId } from '../roles/role.resource.js';
import { startPeople, type People } from './people.fixture.js';
import type { TrustId } from './trust.resource.js';
import { trusts, type NewTrust } from './trust.repository.js';

const PAST = '2001-01-01T00:00:00.000000Z';

let people: People;

beforeAll(async () => {
  people = await startPeople();
});
beforeEach(() => people.dataSource.query('DELETE FROM trusts'));
afterAll(() => people.stop());

/** ann lets bob work for her. */
async function make(changes: Partial<NewTrust> = {}): Promise<TrustId> {
  const id = newId<TrustId>();
  await trusts.create(people.ctx, {
    id,
    trustorUserId: asId('ann'),
    trusteeUserId: asId('bob'),
    projectId: asId<ProjectId>('work'),
    impersonation: true,
    expiry: null,
    remainingUses: null,
    redelegationCount: 0,
    redelegatedTrustId: null,
    applicationCredentialId: null,
    roleIds: [asId<RoleId>('member')],
    ...changes,
  });
  return id;
}

/** A chain of redelegations, beginning with the first. */
async function makeChain(): Promise<readonly [TrustId, TrustId, TrustId]> {
  const first = await make();
  const second = await make({
    redelegatedTrustId: first,
    trustorUserId: asId('bob'),
    trusteeUserId: asId('cid'),
  });
  const third = await make({ redelegatedTrustId: second, trustorUserId: asId('cid') });
  return [first, second, third];
}

async function left(id: string): Promise<number | null | undefined> {
  return (await trusts.find(people.ctx, id))?.remainingUses;
}

describe('the uses of a trust', () => {
  it('are had as often as there are any, however many ask at once', async () => {
    const { ctx } = people;
    const id = await make({ remainingUses: 3 });
    const had = await Promise.all(Array.from({ length: 10 }, () => trusts.consume(ctx, id)));
    expect(had.filter(Boolean)).toHaveLength(3);
    expect(await left(id)).toBe(0);
  });

  it('have no end where none is said', async () => {
    const { ctx } = people;
    const id = await make();
    expect([await trusts.consume(ctx, id), await trusts.consume(ctx, id)]).toEqual([true, true]);
    expect(await left(id)).toBeNull();
  });

  it('are none of a trust that has expired, or is unknown', async () => {
    const { ctx } = people;
    expect(await trusts.consume(ctx, await make({ expiry: PAST, remainingUses: 3 }))).toBe(false);
    expect(await trusts.consume(ctx, 'unknown')).toBe(false);
  });
});

describe('a trust', () => {
  it('is found with its roles, and with whose they are', async () => {
    expect(await trusts.findUsable(people.ctx, await make())).toMatchObject({
      trusteeUserId: asId('bob'),
      grantorId: 'ann',
      isChainEnabled: true,
      roles: [{ id: 'member', name: 'member' }],
    });
  });

  it('is not found once it has expired or is used up', async () => {
    const { ctx } = people;
    expect(await trusts.findUsable(ctx, await make({ expiry: PAST }))).toBeUndefined();
    expect(await trusts.findUsable(ctx, await make({ remainingUses: 0 }))).toBeUndefined();
  });

  it('keeps the microseconds of its expiry', async () => {
    const expiry = '2999-01-01T00:00:00.000001Z';
    expect(await trusts.findUsable(people.ctx, await make({ expiry }))).toMatchObject({ expiry });
  });
});

describe('a chain of trusts', () => {
  it('gives the roles of the first trustor', async () => {
    const [, , third] = await makeChain();
    const found = await trusts.findUsable(people.ctx, third);
    expect(found?.grantorId).toBe('ann');
  });

  it('is broken by anybody in it who is disabled', async () => {
    const { ctx, dataSource } = people;
    const [, , third] = await makeChain();
    await dataSource.query(`UPDATE users SET enabled = false WHERE name = 'cid'`);
    const found = await trusts.findUsable(ctx, third);
    await dataSource.query(`UPDATE users SET enabled = true WHERE name = 'cid'`);
    expect(found?.isChainEnabled).toBe(false);
    expect((await trusts.findUsable(ctx, third))?.isChainEnabled).toBe(true);
  });

  it('goes with the one that is removed, and says so', async () => {
    const { ctx } = people;
    const [first, second, third] = await makeChain();
    expect(new Set(await trusts.deleteChain(ctx, second))).toEqual(new Set([second, third]));
    expect(await trusts.find(ctx, third)).toBeUndefined();
    expect(await trusts.find(ctx, first)).toBeDefined();
    expect(await trusts.deleteChain(ctx, second)).toEqual([]);
  });
});
