import { rm } from 'node:fs/promises';

export default async function teardown() {
  await rm(process.env.CUMULET_TEST_FOLDERS, { recursive: true, force: true });
}
