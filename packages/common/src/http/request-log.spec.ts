import { expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { createLogger } from '../observe/logger.js';
import { Metrics } from '../observe/metrics.js';
import { addHooks } from './fastify-hooks.js';

/** The level at which a GET of this path is logged. */
async function levelOf(path: string): Promise<unknown> {
  const lines: string[] = [];
  const logger = createLogger('test', 'debug', { write: (line) => lines.push(line) });
  const fastify: FastifyInstance = Fastify();
  addHooks(fastify, { logger, metrics: new Metrics('test') });
  fastify.get(path, () => ({}));
  await fastify.inject(path);
  expect(lines).toHaveLength(1);
  return (JSON.parse(lines.join('')) as { level: unknown }).level;
}

it.each([
  ['/healthz', 'debug'],
  ['/readyz', 'debug'],
  ['/.well-known/jwks.json', 'debug'],
  ['/v3/users', 'info'],
])('a request for %s is logged at the level %s', async (path, level) => {
  expect(await levelOf(path)).toBe(level);
});
