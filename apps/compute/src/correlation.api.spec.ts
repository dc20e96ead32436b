import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newRequestId } from '@cumulet/common/context/request-id';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, unknownId, type ComputeFixture } from './compute.fixture.js';
import { expectCorrelated, expectError } from './errors.fixture.js';

let compute: ComputeFixture;

beforeAll(async () => {
  compute = await startCompute({ losesDatabase: true });
});

afterAll(async () => {
  await compute.stop();
});

const ID = unknownId();

const get = (path: string, headers = {}): Promise<TestResponse> =>
  compute.client.get(path, { token: compute.token, headers });

describe('headers', () => {
  it('a success has its ids too', async () => {
    expectCorrelated(await get('/servers'));
  });

  it('405 names the allowed methods', async () => {
    const response = await compute.client.patch(`/v2.1/servers/${ID}`, {
      token: compute.token,
      body: {},
    });
    expect(response.headers.get('allow')).toBe('DELETE, GET, HEAD, PUT');
  });

  it('401 says where tokens come from', async () => {
    const response = await compute.client.get('/servers');
    expect(response.headers.get('www-authenticate')).toBe('Keystone uri="http://127.0.0.1:1/v3"');
  });

  it('a body that was refused half read ends the connection', async () => {
    const body = `{"server": "${'x'.repeat(2 * 1024 * 1024)}"}`;
    const response = await compute.client.post('/servers', { token: compute.token, body });
    expect([response.status, response.headers.get('connection')]).toEqual([413, 'close']);
  });
});

describe("a caller's request id", () => {
  it('is logged as the global one, and is not the id of the answer', async () => {
    const theirs = newRequestId();
    const response = await get('/servers', { 'X-Openstack-Request-Id': theirs });
    const ours = response.headers.get('x-openstack-request-id');
    expect(ours).not.toBe(theirs);
    expect(compute.logs).toContainEqual(
      expect.objectContaining({ requestId: ours, globalRequestId: theirs, path: '/servers' }),
    );
  });

  it('is ignored unless it has the form of one', async () => {
    const response = await get('/servers', { 'X-Openstack-Request-Id': 'forged' });
    const ours = response.headers.get('x-openstack-request-id');
    const line = compute.logs.find(({ requestId }) => requestId === ours);
    expect(line).toBeDefined();
    expect(line).not.toHaveProperty('globalRequestId');
  });
});

it('no log line holds a token', async () => {
  const token = await compute.tokens.issue(['member']);
  await compute.client.get('/servers', { token });
  expect(JSON.stringify(compute.logs)).not.toContain(token);
});

describe('without the database', () => {
  it('every call answers 503 with Retry-After, until it is back', async () => {
    await compute.wire.cut();
    try {
      for (const response of [
        await get('/servers'),
        await get(`/servers/${ID}`),
        await get('/readyz'),
      ]) {
        expectError(
          response,
          503,
          'serviceUnavailable',
          'The service cannot reach its database at present.',
        );
        expect(response.headers.get('retry-after')).toBe('5');
      }
      expect((await get('/healthz')).status).toBe(200);
      const statistics = await compute.app.metrics.registry.metrics();
      expect(statistics).toContain('http_request_duration_seconds_count');
    } finally {
      await compute.wire.mend();
    }
    expect((await get('/servers')).status).toBe(200);
    expect((await get('/readyz')).status).toBe(200);
  });
});
