import { expect, it } from '@jest/globals';
import { despiteLateConnections } from './data-source.js';

const late = new Error('Connection terminated due to connection timeout');

/** @returns how often it was called; it fails with these errors, one each */
async function callsUntilDone(failures: Error[]): Promise<number> {
  let calls = 0;
  await despiteLateConnections(() => {
    calls += 1;
    const failure = failures.shift();
    return failure ? Promise.reject(failure) : Promise.resolve();
  });
  return calls;
}

it('retries after a timeout', async () => {
  const pool = new Error('timeout exceeded when trying to connect');
  expect(await callsUntilDone([late, pool])).toBe(3);
});

it('gives up after the fifth timeout', async () => {
  await expect(callsUntilDone(Array(5).fill(late) as Error[])).rejects.toBe(late);
});

it('throws other failures at once', async () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:5432');
  await expect(callsUntilDone([refused])).rejects.toBe(refused);
});
