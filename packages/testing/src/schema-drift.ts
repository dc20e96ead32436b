import type { DataSource } from 'typeorm';

/** The statements that would bring the migrated schema to the entities; there should be none. */
export async function schemaDrift(dataSource: DataSource): Promise<string[]> {
  const log = await dataSource.driver.createSchemaBuilder().log();
  return log.upQueries.map(({ query }) => query);
}
