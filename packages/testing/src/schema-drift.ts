import type { DataSource, QueryRunner } from 'typeorm';

/** The statements that would bring the migrated schema to the entities; there should be none. */
export async function schemaDrift(dataSource: DataSource): Promise<string[]> {
  const create = dataSource.createQueryRunner;
  dataSource.createQueryRunner = (mode) => inTurn(create.call(dataSource, mode));
  try {
    const log = await dataSource.driver.createSchemaBuilder().log();
    return log.upQueries.map(({ query }) => query);
  } finally {
    dataSource.createQueryRunner = create;
  }
}

/** TypeORM reads all tables at once over one connection, which pg warns of and will refuse. */
function inTurn(runner: QueryRunner): QueryRunner {
  const query = runner.query.bind(runner) as (...args: unknown[]) => Promise<unknown>;
  let last: Promise<unknown> = Promise.resolve();
  runner.query = ((...args: unknown[]) => {
    const next = last.then(() => query(...args));
    last = next.catch(() => undefined);
    return next;
  }) as QueryRunner['query'];
  return runner;
}
