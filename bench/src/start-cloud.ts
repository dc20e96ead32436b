/** The cloud as the measured processes start it: all services in one process, on a Postgres of its own. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { createLogger } from '@cumulet/common/observe/logger';
import { startThrowawayCluster } from '@cumulet/embedded-postgres/throwaway-cluster';
import { startCloud } from '@cumulet/standalone/cloud';
import { readSecrets, withKeys } from '@cumulet/standalone/secrets';
import { SERVICES } from '@cumulet/standalone/services';

export interface BenchCloud {
  readonly url: string;
  readonly s3Url: string;
  readonly token: string;
  readonly projectId: string;
  /** A body that logs in. */
  readonly login: object;
  /** Likewise, as the user admin. */
  readonly adminLogin: object;
  /** Under which rows of stacks are sealed. */
  readonly stacksKey: string;
  databaseUrl(service: string): string;
}

export async function startBenchCloud(): Promise<BenchCloud> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cumulet-bench-'));
  const postgres = await startThrowawayCluster(() => undefined);
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  await postgres.ensureDatabases(SERVICES.map(({ name }) => `cumulet_${name}`));
  const secrets = await withKeys(await readSecrets(dataDir), dataDir, SERVICES, {});
  const cloud = await startCloud({
    dataDir,
    listenHost: '127.0.0.1',
    port: 0,
    publicUrl: undefined,
    servicePorts: false,
    secrets,
    // Guests would compete with the measurement for the processors.
    env: {
      COMPUTE_HYPERVISOR: 'simulated',
      NETWORK_DATA_PLANE: 'simulated',
      LOADBALANCER_DATA_PLANE: 'simulated',
      COMPUTE_QUOTA_INSTANCES: '-1',
      COMPUTE_QUOTA_CORES: '-1',
      S3_PORT: '0',
    },
    logger: (service) => createLogger(service, 'info', { write: () => undefined }),
    databaseUrl: (service) => postgres.url(`cumulet_${service}`),
  });
  const login = loginBody('demo', secrets.demoPassword);
  return {
    url: cloud.url,
    s3Url: cloud.services.find(({ name }) => name === 's3')?.url ?? '',
    ...(await logIn(cloud.url, login)),
    login,
    stacksKey: secrets.orchestrationKey ?? '',
    adminLogin: loginBody('admin', secrets.adminPassword),
    databaseUrl: (service) => postgres.url(`cumulet_${service}`),
  };
}

export async function logIn(
  url: string,
  login: object,
): Promise<{ token: string; projectId: string }> {
  const client = new ServiceClient({ service: 'identity', baseUrl: `${url}/identity` });
  const { headers, body } = await client.send({
    method: 'POST',
    path: '/v3/auth/tokens',
    json: login,
  });
  await client.close();
  const { token } = body as { token: { project: { id: string } } };
  return { token: String(headers['x-subject-token']), projectId: token.project.id };
}

/** For a user of the project of the same name. */
export function loginBody(name: string, password: string): object {
  const domain = { id: 'default' };
  return {
    auth: {
      identity: { methods: ['password'], password: { user: { name, domain, password } } },
      scope: { project: { name, domain } },
    },
  };
}
