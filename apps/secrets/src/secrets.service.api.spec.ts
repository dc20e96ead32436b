import 'reflect-metadata';
import { startService } from '@cumulet/testing/start-service';
import { testService } from '@cumulet/testing/test-service';
import type { TestClient } from '@cumulet/testing/http-client';
import { idOf, SECRET } from './secrets.fixture.js';
import { secretsService } from './service.js';

async function create(client: TestClient, path: string, token: string, body: object) {
  const answer = await client.post(path, { token, body });
  return idOf(Object.values(answer.body as Record<string, string>)[0] ?? '');
}

testService(secretsService, {
  start: (options) => startService(secretsService, {}, options),
  open: ['GET /', 'GET /v1'],
  examples: {
    secret_id: ({ client }, token) => create(client, '/v1/secrets', token, SECRET),
    container_id: ({ client }, token) =>
      create(client, '/v1/containers', token, { type: 'generic' }),
  },
  actingFor: (projectId) => ({ 'X-Project-Id': projectId }),
});
