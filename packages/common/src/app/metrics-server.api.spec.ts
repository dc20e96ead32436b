import { TestClient } from '@cumulet/testing/http-client';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Metrics } from '../observe/metrics.js';
import { MetricsServer } from './metrics-server.js';

const services = [new Metrics('identity'), new Metrics('compute')];
const server = new MetricsServer(() => services);
let client: TestClient;

beforeAll(async () => {
  for (const { requests } of services)
    requests.observe({ method: 'GET', route: '/a', status: 200 }, 1);
  client = new TestClient(`http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`);
});
afterAll(() => server.close());

it('serves the metrics of all services, each under one heading', async () => {
  const { status, headers, text } = await client.get('/metrics');
  expect([status, headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  const headings = text.match(/^# TYPE .*$/gm) ?? [];
  expect(headings).toContain('# TYPE http_request_duration_seconds histogram');
  expect(new Set(headings).size).toBe(headings.length);
  const counts = text.match(/^http_request_duration_seconds_count{.*$/gm) ?? [];
  expect(counts).toEqual([
    expect.stringContaining('service="identity"'),
    expect.stringContaining('service="compute"'),
  ]);
  // Prometheus wants the samples of a metric together, below its heading.
  const [first = '', second = ''] = counts;
  expect(text.slice(text.indexOf(first), text.indexOf(second))).not.toContain('# ');
});

it.each([
  ['GET', '/', 404],
  ['GET', '/metrics/', 404],
  ['POST', '/metrics', 405],
])('serves nothing else: %s %s', async (method, path, status) => {
  expect((await client.send(method, path)).status).toBe(status);
});

it('answers 500 without a reason if metrics cannot be read', async () => {
  const [first] = services;
  first?.registry.registerMetric({
    name: 'broken',
    get: () => Promise.reject(new Error('a private reason')),
  } as never);
  const { status, text } = await client.get('/metrics');
  expect([status, text]).toEqual([500, 'The statistics cannot be read at present.\n']);
});
