import autocannon from 'autocannon';

export interface Target {
  readonly url: string;
  readonly token?: string;
  /** A token that is asked about. */
  readonly subject?: string;
  /** Sent as JSON with POST. */
  readonly body?: string;
}

export interface Figures {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

/** Concurrent connections, each of which sends its next request as soon as it has an answer. */
const CONNECTIONS = 16;

/** @throws Error when any answer was not a success: the figures would mean nothing */
export async function measure(target: Target, seconds: number): Promise<Figures> {
  const result = await autocannon({
    url: target.url,
    connections: CONNECTIONS,
    duration: seconds,
    headers: {
      ...(target.token === undefined ? {} : { 'X-Auth-Token': target.token }),
      ...(target.subject === undefined ? {} : { 'X-Subject-Token': target.subject }),
      ...(target.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(target.body === undefined ? {} : { method: 'POST', body: target.body }),
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} requests to ${target.url} failed`);
  return { requestsPerSecond: result.requests.average, p99: result.latency.p99 };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
