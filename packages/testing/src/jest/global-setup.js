/**
 * One throwaway Postgres for the test run; each test file gets databases of its own in it
 * (database.ts). Jest loads this file outside of its transform, so it uses the built package.
 */
export default async function setup() {
  // Set by the project that came before, or by whoever brings a Postgres along.
  if (process.env.CUMULET_TEST_POSTGRES) return;
  const { startThrowawayCluster } = await import('@cumulet/embedded-postgres/throwaway-cluster');
  const cluster = await startThrowawayCluster(() => undefined);
  process.env.CUMULET_TEST_POSTGRES = cluster.url('postgres');
  globalThis.cumuletTestPostgres = async () => {
    delete process.env.CUMULET_TEST_POSTGRES;
    await cluster.stop();
  };
}
