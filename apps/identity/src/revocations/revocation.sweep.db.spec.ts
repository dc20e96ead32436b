import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { RequestContext } from '@cumulet/common/context/request-context';
import { runSweep } from '@cumulet/common/jobs/sweep';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { createIdentityDataSource } from '../database/identity-data-source.js';
import { newId } from '../database/new-id.js';
import { RevocationRepository } from './revocation.repository.js';
import { revocationSweep } from './revocation.sweep.js';

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;
const revocations = new RevocationRepository();

beforeAll(async () => {
  database = await createTestDatabase('identity', createIdentityDataSource);
  dataSource = createIdentityDataSource(database.url);
  await dataSource.initialize();
  ctx = RequestContext.system('req', dataSource.manager);
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function revoke(auditId: string, expiresInMs: number): Promise<void> {
  const now = new Date();
  await revocations.insert(ctx, {
    id: newId(),
    auditId,
    auditChainId: null,
    userId: null,
    projectId: null,
    domainId: null,
    issuedBefore: now,
    revokedAt: now,
    expiresAt: new Date(now.getTime() + expiresInMs),
  });
}

it('forgets the events whose tokens have expired, and keeps the others', async () => {
  await revoke('expired', -1_000);
  await revoke('live', 60_000);
  expect((await revocations.listLive(ctx)).map(({ auditId }) => auditId)).toEqual(['live']);
  await runSweep(dataSource, revocationSweep());
  expect(await dataSource.query('SELECT audit_id FROM revocations')).toEqual([
    { audit_id: 'live' },
  ]);
});
