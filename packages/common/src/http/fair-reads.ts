/** Limits a caller's concurrent reads among others', since a service has one thread. */
import { availableParallelism } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { FairTurns, type FairTurnsOptions } from '../context/fair-turns.js';

const MOST: FairTurnsOptions = { shared: Math.max(4, 2 * availableParallelism()), alone: 64 };

/**
 * Reads with one token take turns, from their arrival until the answer begins, since a download may
 * take long. Call this before adding routes.
 */
export function shareReads(fastify: FastifyInstance, most = MOST): void {
  const turns = new FairTurns(most);
  const ends = new WeakMap<object, () => void>();
  fastify.addHook('onRequest', (request, reply, done) => {
    const token = request.headers['x-auth-token'];
    if (request.method !== 'GET' || typeof token !== 'string') {
      done();
      return;
    }
    turns.enter(token, () => {
      const end = (): void => {
        if (ends.delete(request)) turns.leave(token);
      };
      ends.set(request, end);
      if (reply.raw.destroyed) {
        end();
        return;
      }
      reply.raw.once('close', end);
      done();
    });
  });
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    ends.get(request)?.();
    done(null, payload);
  });
}
