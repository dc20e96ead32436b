/** Objects of 4 KiB, put and got by 16 clients at once. */
import { randomBytes } from 'node:crypto';
import autocannon from 'autocannon';
import { BUCKET } from './bucket.js';
import type { Figures } from './measure.js';
import { presigned } from './presigned.js';
import type { ObjectsFacts } from './protocol.js';
import { printRow } from './table.js';

const CLIENTS = 16;
const KEYS = 256;
const SECONDS = 10;
const BODY = randomBytes(4096);

export async function measureSmallObjects(s3: ObjectsFacts): Promise<void> {
  // A slow machine puts fewer than these while it is measured, and all are got afterwards.
  await putSmallObjects(s3);
  printRow(['', 'requests/s', 'p99 ms']);
  for (const method of ['PUT', 'GET'] as const) {
    const { requestsPerSecond, p99 } = await measureSmall(s3, method, SECONDS);
    printRow([`${method} of 4 KiB`, requestsPerSecond.toFixed(0), p99.toFixed(1)]);
  }
}

export async function putSmallObjects(s3: ObjectsFacts): Promise<void> {
  for (let at = 0; at < KEYS; at += 1) {
    const url = presigned(s3, 'PUT', `/${BUCKET}/small-${at}`);
    const { ok, status } = await fetch(url, { method: 'PUT', body: BODY });
    if (!ok) throw new Error(`an object was answered with ${status}`);
  }
}

/** Of the objects that `putSmallObjects` has put. */
export async function measureSmall(
  s3: ObjectsFacts,
  method: 'PUT' | 'GET',
  seconds: number,
): Promise<Figures> {
  const requests = Array.from({ length: KEYS }, (_, at) => {
    const { pathname, search } = new URL(presigned(s3, method, `/${BUCKET}/small-${at}`));
    return { method, path: pathname + search, ...(method === 'PUT' ? { body: BODY } : {}) };
  });
  const result = await autocannon({
    url: s3.url,
    connections: CLIENTS,
    duration: seconds,
    requests,
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} requests ${method} failed`);
  return { requestsPerSecond: result.requests.average, p99: result.latency.p99 };
}
