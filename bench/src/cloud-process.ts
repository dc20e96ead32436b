/** The cloud under load: every service in one process, as `npm start` runs it, with 20 servers. */
import 'reflect-metadata';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { createLogger } from '@cumulet/common/observe/logger';
import { startThrowawayCluster } from '@cumulet/embedded-postgres/throwaway-cluster';
import { startCloud } from '@cumulet/standalone/cloud';
import { readSecrets } from '@cumulet/standalone/secrets';
import { report, type CloudFacts } from './protocol.js';

const SERVERS = 20;
const SERVICES = ['identity', 'images', 'compute'];

/** How long the process is left alone before its memory is read, in milliseconds. */
const REST_MS = 5_000;

async function start(): Promise<CloudFacts> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cumulet-bench-'));
  const postgres = await startThrowawayCluster(() => undefined);
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  for (const service of SERVICES) await postgres.ensureDatabase(`cumulet_${service}`);
  const secrets = await readSecrets(dataDir);
  const cloud = await startCloud({
    dataDir,
    listenHost: '127.0.0.1',
    port: 0,
    publicUrl: undefined,
    servicePorts: false,
    secrets,
    // Guests would compete for the processors with what is measured.
    env: {
      COMPUTE_HYPERVISOR: 'simulated',
      COMPUTE_QUOTA_INSTANCES: '-1',
      COMPUTE_QUOTA_CORES: '-1',
    },
    logger: (service) => createLogger(service, 'info', { write: () => undefined }),
    databaseUrl: (service) => postgres.url(`cumulet_${service}`),
  });
  const { token, projectId } = await logIn(cloud.url, secrets.demoPassword);
  const serverId = await createServers(cloud.url, token);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  return {
    kind: 'cloud',
    computeUrl: `${cloud.url}/compute/v2.1`,
    token,
    serverId,
    projectId,
    databaseUrl: postgres.url('cumulet_compute'),
    idleBytes: process.memoryUsage.rss(),
  };
}

async function logIn(url: string, password: string): Promise<{ token: string; projectId: string }> {
  const domain = { id: 'default' };
  const client = new ServiceClient({ service: 'identity', baseUrl: `${url}/identity` });
  const { headers, body } = await client.send({
    method: 'POST',
    path: '/v3/auth/tokens',
    json: {
      auth: {
        identity: { methods: ['password'], password: { user: { name: 'demo', domain, password } } },
        scope: { project: { name: 'demo', domain } },
      },
    },
  });
  await client.close();
  const { token } = body as { token: { project: { id: string } } };
  return { token: String(headers['x-subject-token']), projectId: token.project.id };
}

/** An image that boots, and servers of it that run. @returns the id of one */
async function createServers(url: string, token: string): Promise<string> {
  const images = new ServiceClient({ service: 'images', baseUrl: `${url}/image` });
  const compute = new ServiceClient({ service: 'compute', baseUrl: `${url}/compute` });
  const created = await images.send({
    method: 'POST',
    path: '/v2/images',
    token,
    json: { name: 'bench', disk_format: 'raw', container_format: 'bare' },
  });
  const { id: imageRef } = created.body as { id: string };
  await fetch(`${url}/image/v2/images/${imageRef}/file`, {
    method: 'PUT',
    headers: { 'X-Auth-Token': token, 'Content-Type': 'application/octet-stream' },
    body: bootSector(),
  });
  for (let at = 0; at < SERVERS; at += 1) {
    await compute.send({
      method: 'POST',
      path: '/servers',
      token,
      json: {
        server: { name: `bench-${at}`, imageRef, flavorRef: '42', metadata: { role: 'bench' } },
      },
    });
  }
  return waitUntilActive(compute, token);
}

async function waitUntilActive(compute: ServiceClient, token: string): Promise<string> {
  for (;;) {
    const { body } = await compute.send({
      path: '/servers/detail',
      query: { status: 'ACTIVE' },
      token,
    });
    const { servers } = body as { servers: readonly { id: string }[] };
    const [first] = servers;
    if (servers.length === SERVERS && first) {
      await compute.close();
      return first.id;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function bootSector(): Uint8Array<ArrayBuffer> {
  const sector = new Uint8Array(512);
  sector.set([0x55, 0xaa], 510);
  return sector;
}

try {
  report(await start());
} catch (error) {
  report({
    kind: 'failure',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
}
