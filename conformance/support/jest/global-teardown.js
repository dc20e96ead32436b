import { rm } from 'node:fs/promises';

export default async function teardown() {
  const { removeSharedCloud } = await import('../shared-cloud.ts');
  await removeSharedCloud();
  await rm(process.env.CUMULET_TEST_FOLDERS, { recursive: true, force: true });
}
