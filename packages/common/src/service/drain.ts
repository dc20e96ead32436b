/**
 * Drains a service: it reports not ready, refuses new requests, and waits for others. From the first
 * on each answer ends its connection, so that no client has one left when the service ends.
 */
import type { ServerResponse } from 'node:http';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
} from 'fastify';
import { NotReadyError } from '../errors/domain-error.js';

/** Answered always, so that operators see why others are not. */
export const PROBES = new Set(['/healthz', '/readyz']);

/**
 * Header of a refusal before any handling, whatever the method: the same request can be sent to
 * another replica at once. A 503 without it may follow work that was done.
 */
export const UNHANDLED_HEADER = 'x-cumulet-unhandled';

/**
 * Request header of a proxy that can repeat requests by their status alone, as HAProxy does: with
 * `425`, such a refusal has this status, which no other answer has.
 */
export const RETRY_HEADER = 'x-cumulet-retry-on';
const TOO_EARLY = 425;

/** Refuses a request before any handling. @param error why */
export function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
  error: NotReadyError,
): void {
  void reply.header(UNHANDLED_HEADER, 'true');
  if (request.headers[RETRY_HEADER] === String(TOO_EARLY)) void reply.code(TOO_EARLY).send();
  else done(error);
}

export class StoppingError extends NotReadyError {
  constructor() {
    super('The service is being stopped.');
  }
}

export class Drain {
  readonly #underWay = new Set<ServerResponse>();
  #isReady = true;
  #isRefusing = false;
  #onIdle: () => void = () => undefined;

  /** Call this before adding routes. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      if (PROBES.has(request.routeOptions.url ?? '')) done();
      else if (this.#isRefusing)
        refuse(request, reply.header('Connection', 'close'), done, new StoppingError());
      else {
        this.#count(reply.raw);
        done();
      }
    });
    fastify.addHook('onSend', (_request, reply, payload, done) => {
      if (!this.#isReady) void reply.header('Connection', 'close');
      done(null, payload);
    });
  }

  /** @throws StoppingError once the stop has been announced */
  requireReady(): void {
    if (!this.#isReady) throw new StoppingError();
  }

  /**
   * From now on the service reports not ready; it still accepts requests. Each answer closes its
   * connection, so that none is left that the end would cut off under a client's next request.
   */
  announce(): void {
    this.#isReady = false;
    for (const response of this.#underWay) response.shouldKeepAlive = false;
  }

  /** Refuses new requests. Returns once none is running, or after the time limit. */
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

  /** Disconnects clients with running requests. */
  cutOff(): void {
    for (const response of this.#underWay) response.destroy();
  }

  #count(response: ServerResponse): void {
    this.#underWay.add(response);
    if (!this.#isReady) response.shouldKeepAlive = false;
    response.once('close', () => {
      this.#underWay.delete(response);
      if (this.#underWay.size === 0) this.#onIdle();
    });
  }
}
