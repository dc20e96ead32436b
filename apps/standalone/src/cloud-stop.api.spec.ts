/** How a cloud ends in the middle of a request. */
import 'reflect-metadata';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createLogger } from '@cumulet/common/observe/logger';
import { createTestDatabase } from '@cumulet/testing/database';
import { TestClient } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import { startCloud } from './cloud.js';
import { readSecrets, withKeys } from './secrets.js';
import { SERVICES } from './services.js';

it('a cloud that is stopping is not ready, refuses new requests, and answers pending ones', async () => {
  const services = SERVICES.slice(0, 1);
  const folder = await mkdtemp(join(tmpdir(), 'cumulet-stop-'));
  const databases = await Promise.all(services.map(createTestDatabase));
  const secrets = await withKeys(await readSecrets(folder), folder, services, {});
  const cloud = await startCloud({
    services,
    dataDir: folder,
    listenHost: '127.0.0.1',
    port: 0,
    publicUrl: undefined,
    servicePorts: false,
    secrets,
    env: { CUMULET_DRAIN_SECONDS: '60' },
    logger: (name) => createLogger(name, 'silent'),
    databaseUrl: () => databases[0]?.url ?? '',
  });
  const client = new TestClient(cloud.url);
  const body = JSON.stringify({
    auth: {
      identity: {
        methods: ['password'],
        password: {
          user: { name: 'demo', domain: { id: 'default' }, password: secrets.demoPassword },
        },
      },
    },
  });
  const login = httpRequest(`${cloud.url}/identity/v3/auth/tokens`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      Expect: '100-continue',
    },
  });
  login.flushHeaders();
  await once(login, 'continue');

  const stopped = cloud.stop();
  expect((await client.get('/identity/readyz')).status).toBe(503);
  await eventually('what is new is refused', async () => {
    return (await client.get('/identity/v3')).status === 503;
  });
  login.end(body);
  const [response] = (await once(login, 'response')) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(201);

  await stopped;
  await expect(client.get('/identity/healthz')).rejects.toThrow();
  for (const database of databases) await database.drop();
  await rm(folder, { recursive: true });
});
