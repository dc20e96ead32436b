/** Statistics tell of all projects, so whoever reaches an API does not reach them. */
import 'reflect-metadata';
import { rawRequest } from '@cumulet/testing/raw-request';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICES } from './services.js';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';

let cloud: TestCloud;

beforeAll(async () => {
  cloud = await startTestCloud(SERVICES);
});
afterAll(() => cloud.stop());

it('statistics of every service are served on a port of their own', async () => {
  const text = await cloud.statistics();
  for (const { name } of SERVICES) {
    expect(text).toContain(`\njobs_waiting{service="${name}"}`);
  }
});

describe.each(SERVICES.filter(({ ownPort }) => !ownPort))(
  'statistics are not behind the ingress of $name',
  ({ path }) => {
    it.each([
      '/metrics',
      '/metrics/',
      '/metrics?x=1',
      '/%6detrics',
      '/%6Detric%73',
      '//metrics',
      '/./metrics',
      '/v2.1/../metrics',
      '/v2.1/%2e%2e/metrics',
      '/;/metrics',
      '/metrics%2f',
      '/METRICS',
    ])('%s', async (variant) => {
      // As it is written: a client of the web would take `..` away.
      const response = await rawRequest(
        cloud.url,
        `GET ${path}${variant} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect([400, 401, 404]).toContain(response.status);
      expect(JSON.stringify(response.body)).not.toContain('process_cpu');
      if (variant === '/metrics') {
        const [envelope] = Object.values(response.body as object) as [Record<string, unknown>];
        expect([response.status, envelope['message']]).toEqual([404, expect.any(String)]);
      }
    });
  },
);
