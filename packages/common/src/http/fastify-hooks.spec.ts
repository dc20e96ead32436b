import { expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { varyBy } from './fastify-hooks.js';

async function varyOf(...calls: (readonly string[])[]): Promise<unknown> {
  const fastify: FastifyInstance = Fastify();
  fastify.get('/', (_request, reply) => {
    for (const headers of calls) varyBy(reply, headers);
    return {};
  });
  return (await fastify.inject('/')).headers.vary;
}

it.each<[string, (readonly string[])[], string | undefined]>([
  ['nothing', [[]], undefined],
  ['a header', [['X-Auth-Token']], 'X-Auth-Token'],
  ['several, one after another', [['A', 'B'], ['C']], 'A, B, C'],
  ['the same twice', [['A', 'B'], ['B']], 'A, B'],
])('an answer depends on %s', async (_, calls, expected) => {
  expect(await varyOf(...calls)).toBe(expected);
});
