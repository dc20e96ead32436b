/**
 * The reads that one caller sends at once are worked on a few at a time where there are others':
 * a service's requests share one thread.
 */
import { availableParallelism } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { FairTurns, type FairTurnsOptions } from '../context/fair-turns.js';

const MOST: FairTurnsOptions = { shared: Math.max(4, 2 * availableParallelism()), alone: 64 };

/**
 * Reads of one token take turns, from their arrival until their answer begins: a client may take its
 * time over a download. Call it before there are routes.
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
