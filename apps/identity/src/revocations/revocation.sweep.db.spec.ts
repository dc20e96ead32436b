import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { newId } from '../database/new-id.js';
import { revocationEvents } from './revocation.repository.js';
import { RevocationSweep } from './revocations.service.js';
import { identityService } from '../service.js';

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;

beforeAll(async () => {
  database = await createTestDatabase(identityService);
  dataSource = identityService.dataSource(database.url);
  await dataSource.initialize();
  ctx = RequestContext.system('req', dataSource.manager);
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Events whose last token expired `seconds` ago; a negative number is in the future. */
async function revoke(auditId: string, seconds: number): Promise<void> {
  await dataSource.query(
    `INSERT INTO revocations (id, audit_id, issued_before, revoked_at, expires_at)
     VALUES ($1, $2, now(), now(), now() - $3 * interval '1 second')`,
    [newId(), auditId, seconds],
  );
}

function sweep(expiredTokenWindow: number): Promise<void> {
  return new RevocationSweep({ expiredTokenWindow }).run(ctx);
}

const auditIds = (rows: readonly { auditId: string | null }[]): (string | null)[] =>
  rows.map(({ auditId }) => auditId);

it('forgets the events whose tokens have expired, and keeps the others', async () => {
  await revoke('long expired', 300);
  await revoke('just expired', 10);
  await revoke('live', -60);
  expect(auditIds(await revocationEvents.listLive(ctx))).toEqual(['live']);
  await sweep(60);
  expect(auditIds(await revocationEvents.listAll(ctx)).sort()).toEqual(['just expired', 'live']);
  await sweep(0);
  expect(auditIds(await revocationEvents.listAll(ctx))).toEqual(['live']);
});
