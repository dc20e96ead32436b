/** How a service ends that is told to stop in the middle of its work. */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { freePort } from '@cumulet/testing/free-port';
import { TestClient } from '@cumulet/testing/http-client';
import { TestProcess } from '@cumulet/testing/process/child-process';
import { eventually } from '@cumulet/testing/settle';
import { startService, type StartedService } from '@cumulet/testing/start-service';
import { RequestContext } from '../context/request-context.js';
import { newRequestId } from '../context/request-id.js';
import { jobsOf } from '../jobs/job.fixture.js';
import { nudge } from '../jobs/nudge.js';
import { Widget } from '../states/widget.fixture.js';
import { RETRY_HEADER, UNHANDLED_HEADER } from '../service/drain.js';
import type { ServiceConfig } from '../service/service-settings.js';
import { widgetsService } from './widgets-service.fixture.js';

const BODY = JSON.stringify({ text: 'a text' });

/** A request that the service has begun to read, and whose body comes when the test wants it. */
async function underWay(baseUrl: string): Promise<ClientRequest> {
  const request = httpRequest(`${baseUrl}/v1/texts`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': BODY.length,
      Expect: '100-continue',
    },
  });
  request.on('error', () => undefined);
  request.flushHeaders();
  await once(request, 'continue');
  return request;
}

async function answerOf(
  request: ClientRequest,
): Promise<[number | undefined, string, string | undefined]> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return [response.statusCode, await text(response), response.headers.connection];
}

async function untilUnready(client: TestClient): Promise<void> {
  await eventually('it is not ready', async () => (await client.get('/readyz')).status === 503);
}

describe('a service that gets a SIGTERM', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let service: TestProcess;
  let client: TestClient;

  async function start(stopDelaySeconds: number): Promise<void> {
    const port = await freePort();
    service = TestProcess.start(new URL('widgets-process.fixture.ts', import.meta.url), [
      `WIDGETS_DATABASE_URL=${database.url}`,
      'WIDGETS_LISTEN_HOST=127.0.0.1',
      `WIDGETS_PORT=${port}`,
      `CUMULET_STOP_DELAY_SECONDS=${stopDelaySeconds}`,
      'CUMULET_DRAIN_SECONDS=60',
      'CUMULET_LOG_LEVEL=silent',
    ]);
    await service.printed('ready');
    client = new TestClient(`http://127.0.0.1:${port}`);
  }

  beforeEach(async () => {
    database = await createTestDatabase(widgetsService);
    dataSource = await widgetsService.dataSource(database.url).initialize();
  });
  afterEach(async () => {
    await service.kill();
    await dataSource.destroy();
    await database.drop();
  });

  it('is not ready, refuses new requests, and answers running ones', async () => {
    await start(0);
    const request = await underWay(client.baseUrl);
    const exitCode = service.terminate();
    await untilUnready(client);
    const refused = await client.get('/v1/texts');
    expect([refused.status, refused.body]).toEqual([
      503,
      { serviceUnavailable: { code: 503, message: 'The service is being stopped.' } },
    ]);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get(UNHANDLED_HEADER)).toBe('true');
    const early = await fetch(`${client.baseUrl}/v1/texts`, {
      method: 'POST',
      headers: { [RETRY_HEADER]: '425' },
    });
    expect([early.status, await early.text()]).toEqual([425, '']);
    expect((await client.get('/healthz')).status).toBe(200);
    request.end(BODY);
    expect(await answerOf(request)).toEqual([200, '{"length":6}', 'close']);
    expect(await exitCode).toBe(0);
  });

  it('still answers for as long as its ingress has to notice, and lets go of connections', async () => {
    await start(600);
    expect((await client.get('/v1/texts')).headers.get('connection')).toBe('keep-alive');
    void service.terminate();
    await untilUnready(client);
    const late = await client.get('/v1/texts');
    expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
  });

  it('returns its jobs to the queue, also while it still answers', async () => {
    await start(600);
    const { manager } = dataSource;
    const ctx = RequestContext.system(newRequestId(), manager);
    const id = randomUUID();
    const stateDeadline = new Date(Date.now() + 60_000);
    const widget = { id, projectId: 'project', name: id, size: 1, state: 'making', stateDeadline };
    await manager.insert(Widget, widget as Widget);
    await nudge(ctx, { task: 'widget', resource: 'widget', id });
    const isHeld = async (): Promise<boolean[]> =>
      (await jobsOf(dataSource)).map(({ worker }) => worker !== null);
    await eventually('it works on the job', async () => (await isHeld())[0] === true);
    void service.terminate();
    await eventually('another may take the job', async () => (await isHeld())[0] === false);
  });
});

describe('a stopping service does not wait indefinitely', () => {
  let service: StartedService<ServiceConfig>;

  beforeEach(async () => {
    service = await startService(widgetsService, {}, { config: { drainSeconds: 0.1 } });
  });

  it('for a running request', async () => {
    const request = await underWay(service.client.baseUrl);
    const closed = new Promise((resolve) => request.on('close', resolve));
    await service.stop();
    await closed;
  });

  it('for an idle client', async () => {
    const { hostname, port } = new URL(service.client.baseUrl);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const ended = text(socket);
    await service.stop();
    await ended;
  });
});
