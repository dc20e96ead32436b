/** A database with a project, roles and three users, whose ids are their names. */
import type { DataSource } from 'typeorm';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createTestDatabase } from '@cumulet/testing/database';
import { identityService } from '../service.js';

export interface People {
  readonly ctx: RequestContext;
  readonly dataSource: DataSource;
  stop(): Promise<void>;
}

export async function startPeople(): Promise<People> {
  const database = await createTestDatabase(identityService);
  const dataSource = identityService.dataSource(database.url);
  await dataSource.initialize();
  await dataSource.query(
    `WITH d AS (INSERT INTO domains (id, name) VALUES ('home', 'home')),
          p AS (INSERT INTO projects (id, domain_id, name) VALUES ('work', 'home', 'work')),
          r AS (INSERT INTO roles (id, name) VALUES ('member', 'member'), ('reader', 'reader')),
          i AS (INSERT INTO role_inferences VALUES ('member', 'reader'))
     INSERT INTO users (id, domain_id, name)
     SELECT name, 'home', name FROM unnest(ARRAY['ann', 'bob', 'cid']) AS name`,
  );
  return {
    ctx: RequestContext.system('req', dataSource.manager),
    dataSource,
    stop: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
}
