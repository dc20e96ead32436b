import { expect, it } from '@jest/globals';
import { balancerSpec } from '../../balancer.fixture.js';
import { limited } from './limited.js';

const HOST = { maxConnections: 1000, threads: 2 };

it.each([
  ['is the host as it is without a flavor', undefined, HOST],
  [
    'has as few connections as the flavor says',
    { connections: 10 },
    { ...HOST, maxConnections: 10 },
  ],
  ['has no more connections than the host allows', { connections: 5000 }, HOST],
  ['has as many threads as the flavor says', { threads: 4 }, { ...HOST, threads: 4 }],
])('%s', (_, limits, expected) => {
  expect(limited(HOST, { ...balancerSpec(), ...(limits ? { limits } : {}) })).toEqual(expected);
});
