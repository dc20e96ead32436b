import type { DataSource } from 'typeorm';

/** The statements that would bring the migrated schema to what the entities say: none are right. */
export async function schemaDrift(dataSource: DataSource): Promise<string[]> {
  const log = await dataSource.driver.createSchemaBuilder().log();
  return log.upQueries.map(({ query }) => query);
}
