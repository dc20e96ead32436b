import { expect, it } from '@jest/globals';
import { LISTENER_PROTOCOLS, POOL_PROTOCOLS } from '../data-plane/balancer-spec.js';
import { requirePair } from './protocols.js';

const pairs = LISTENER_PROTOCOLS.flatMap((listener) =>
  POOL_PROTOCOLS.filter((pool) => {
    try {
      requirePair(listener, pool);
      return true;
    } catch {
      return false;
    }
  }).map((pool) => `${listener} ${pool}`),
);

it('combines protocols as in the API reference', () => {
  expect(pairs).toEqual([
    'TCP HTTP',
    'TCP HTTPS',
    'TCP TCP',
    'TCP PROXY',
    'TCP PROXYV2',
    'HTTP HTTP',
    'HTTP PROXY',
    'HTTP PROXYV2',
    'HTTPS HTTPS',
    'HTTPS TCP',
    'HTTPS PROXY',
    'HTTPS PROXYV2',
    'TERMINATED_HTTPS HTTP',
    'TERMINATED_HTTPS PROXY',
    'TERMINATED_HTTPS PROXYV2',
    'UDP UDP',
    'SCTP SCTP',
  ]);
});

it.each([
  ['HTTP', 'TCP', "The pool protocol 'TCP' is invalid while the listener protocol is 'HTTP'."],
  ['PROMETHEUS', 'HTTP', 'Protocol PROMETHEUS listeners cannot have child objects.'],
])('refuses %s to %s by name', (listener, pool, message) => {
  expect(() => requirePair(listener, pool)).toThrow(message);
});
