/** Services in one process, as the standalone cloud runs them, each on a database of the test's. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@cumulet/common/observe/logger';
import type { Service } from '@cumulet/common/app/define-service';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { freePort } from '@cumulet/testing/free-port';
import { TestClient } from '@cumulet/testing/http-client';
import { startCloud } from './cloud.js';
import type { Environment } from './config.js';
import { readSecrets, withKeys, type Secrets } from './secrets.js';

export interface TestCloud {
  readonly url: string;
  readonly client: TestClient;
  readonly secrets: Secrets;
  /** Of all its services, as Prometheus reads them. */
  statistics(): Promise<string>;
  /** @returns a token of the project of the same name */
  login(user: string, password: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startTestCloud(
  services: readonly Service[],
  env: Environment = {},
): Promise<TestCloud> {
  const folder = await mkdtemp(join(tmpdir(), 'cumulet-test-cloud-'));
  const databases = new Map<string, TestDatabase>();
  for (const service of services) databases.set(service.name, await createTestDatabase(service));
  const secrets = await withKeys(await readSecrets(folder), folder, services, {});
  const cloud = await startCloud({
    services,
    dataDir: folder,
    listenHost: '127.0.0.1',
    port: 0,
    publicUrl: undefined,
    servicePorts: false,
    metricsPort: await freePort(),
    secrets,
    env: {
      COMPUTE_HYPERVISOR: 'simulated',
      NETWORK_DATA_PLANE: 'simulated',
      IMAGES_STORE: 'memory',
      S3_PORT: String(await freePort()),
      ...env,
    },
    logger: (name) => createLogger(name, 'silent'),
    databaseUrl: (name) => databases.get(name)?.url ?? '',
  });
  const client = new TestClient(cloud.url);
  return {
    url: cloud.url,
    client,
    secrets,
    statistics: async () => (await fetch(cloud.statisticsUrl ?? '')).text(),
    async login(name, password) {
      const domain = { id: 'default' };
      const identity = { methods: ['password'], password: { user: { name, domain, password } } };
      const body = { auth: { identity, scope: { project: { name, domain } } } };
      const { headers } = await client.post('/identity/v3/auth/tokens', { body });
      return headers.get('X-Subject-Token') ?? '';
    },
    async stop() {
      await cloud.stop();
      for (const database of databases.values()) await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}
