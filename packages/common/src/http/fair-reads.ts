/**
 * The reads that one caller sends at once are worked on a few at a time: more make none of them
 * quicker, and everybody else's slower, as a service's requests share one thread.
 */
import { availableParallelism } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { FairTurns } from '../context/fair-turns.js';

/** Enough to keep the thread and Postgres busy. */
const MAX_READS = Math.max(4, 2 * availableParallelism());

/**
 * Reads of one token take turns, from their arrival until their answer begins: a client may take its
 * time over a download. Call it before there are routes.
 */
export function shareReads(fastify: FastifyInstance, maxReads = MAX_READS): void {
  const turns = new FairTurns(maxReads);
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
