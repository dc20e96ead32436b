import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { PolicyTargets, type TargetRow } from '../policy/policy-target.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { GrantsService, type GrantIds } from './grants.service.js';
import { identityService } from '../service.js';

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;

/** Finds everything, and removes one resource before it can be used. */
class Removing extends PolicyTargets {
  constructor(private readonly table: string) {
    super();
  }

  override async read(from: RequestContext, ids: GrantIds): Promise<TargetRow | undefined> {
    const found = await super.read(from, ids);
    await from.manager.query(`DELETE FROM ${this.table}`);
    return found;
  }
}

function grantsWith(named: PolicyTargets): GrantsService {
  const revocations = new RevocationsService({} as TokenVerifier);
  return new GrantsService(named, revocations);
}

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

beforeEach(async () => {
  await dataSource.query('TRUNCATE domains, roles CASCADE');
  await dataSource.query(`INSERT INTO domains (id, name) VALUES ('d', 'd')`);
  await dataSource.query(`INSERT INTO roles (id, name) VALUES ('r', 'r')`);
  for (const [table, id] of [
    ['projects', 'p'],
    ['users', 'u'],
    ['groups', 'g'],
  ]) {
    await dataSource.query(
      `INSERT INTO ${table ?? ''} (id, domain_id, name) VALUES ($1, 'd', $1)`,
      [id],
    );
  }
});

it.each<[string, string, GrantIds]>([
  ['roles', 'role: r', { role_id: 'r', user_id: 'u', project_id: 'p' }],
  ['users', 'user: u', { role_id: 'r', user_id: 'u', project_id: 'p' }],
  ['groups', 'group: g', { role_id: 'r', group_id: 'g', domain_id: 'd' }],
  ['projects', 'project: p', { role_id: 'r', user_id: 'u', project_id: 'p' }],
])('finds out in time that one of the %s was removed meanwhile', async (table, words, ids) => {
  const work = grantsWith(new Removing(table)).create(ctx, ids);
  await expect(work).rejects.toThrow(`Could not find ${words}.`);
});
