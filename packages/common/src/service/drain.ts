/**
 * Draining a service: it reports that it is not ready, then takes no new
 * requests, and waits for those under way.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { errorOf } from '../errors/domain-error.js';

/** Answered to the end: whoever runs the service sees by them that it is ending. */
const PROBES = new Set(['/healthz', '/readyz']);

/** The service has been told to stop. */
export class StoppingError extends errorOf('stopping', 'The service is being stopped.', {
  retryAfter: 5,
}) {}

export class Drain {
  readonly #underWay = new Set<ServerResponse>();
  #isReady = true;
  #isRefusing = false;
  #onIdle: () => void = () => undefined;

  /** Call it before there are routes. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      if (PROBES.has(request.routeOptions.url ?? '')) done();
      else if (this.#isRefusing) {
        void reply.header('Connection', 'close');
        done(new StoppingError());
      } else {
        this.#count(reply.raw);
        done();
      }
    });
  }

  /** @throws StoppingError once it has been announced that the service ends */
  requireReady(): void {
    if (!this.#isReady) throw new StoppingError();
  }

  /** From now on the service says that it is not ready; it still takes requests. */
  announce(): void {
    this.#isReady = false;
  }

  /** Refuses new requests. Returns once none is under way, or the time is over. */
  async finish(seconds: number): Promise<void> {
    this.announce();
    this.#isRefusing = true;
    if (this.#underWay.size === 0) return;
    await new Promise<void>((resolve) => {
      const timeout = setTimeout(resolve, seconds * 1_000);
      this.#onIdle = () => {
        clearTimeout(timeout);
        resolve();
      };
    });
  }

  /** Disconnects the clients whose requests are still under way. */
  cutOff(): void {
    for (const response of this.#underWay) response.destroy();
  }

  #count(response: ServerResponse): void {
    this.#underWay.add(response);
    response.once('close', () => {
      this.#underWay.delete(response);
      if (this.#underWay.size === 0) this.#onIdle();
    });
  }
}
