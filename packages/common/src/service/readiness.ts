/**
 * Whether a process may serve, and if not, why.
 *
 * Always holds: a reason is logged once, when it begins, and once more when it has gone; until the
 * first start is over, and while the database is unfit, only probes are answered.
 */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { UnfitDatabaseError } from '../database/usable-database.js';
import { NotReadyError, type DomainError } from '../errors/domain-error.js';
import { PROBES, refuse } from './drain.js';

export class Readiness {
  #reason: DomainError | undefined;
  #hasStarted = false;

  constructor(private readonly logger: Logger) {}

  get isReady(): boolean {
    return this.#hasStarted && !this.#reason;
  }

  /**
   * Whether requests are answered and jobs taken. While the database is away, or full, each that
   * needs it fails by itself and is tried again.
   */
  get isOpen(): boolean {
    return this.#hasStarted && !(this.#reason instanceof UnfitDatabaseError);
  }

  /** Refuses what cannot be answered. Call this before adding routes. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      if (this.isOpen || PROBES.has(request.routeOptions.url ?? '')) done();
      else refuse(request, reply, done, this.#refusal());
    });
  }

  /** @throws NotReadyError with the reason */
  requireReady(): void {
    if (!this.isReady) throw this.#refusal();
  }

  /** @param reason that the process is not ready from now on, if any */
  follow(reason: DomainError | undefined): void {
    const before = this.#reason;
    this.#reason = reason;
    if (reason && reason.message !== before?.message)
      this.logger.error({ err: reason.cause }, `not ready: ${reason.message}`);
    if (before && !reason) this.logger.info(`ready again after: ${before.message}`);
  }

  /** The work that precedes the first request is done. */
  started(): void {
    this.#hasStarted = true;
    this.follow(undefined);
  }

  #refusal(): NotReadyError {
    return new NotReadyError(this.#reason?.message ?? 'The service is starting.');
  }
}
