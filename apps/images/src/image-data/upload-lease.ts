/** What shows that an upload lives: a lock of its process, and a deadline that it moves on. */
import { randomUUID } from 'node:crypto';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Liveness } from '@cumulet/common/jobs/liveness';
import { BeforeStart } from '@cumulet/common/service/background';
import { SupersededError } from '@cumulet/common/states/transition';
import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';

/** Well below the deadline of `saving`, so that a few failed renewals do no harm. */
const RENEW_MS = 5_000;

/**
 * This process, as the owner of the uploads that it receives. It holds an advisory lock for as long
 * as it lives; if another process can take that lock, these uploads are dead.
 */
@Injectable()
export class UploadOwner {
  readonly id = `upload:${randomUUID()}`;

  constructor(private readonly liveness: Liveness) {}

  @BeforeStart()
  start(): Promise<void> {
    return this.liveness.hold(this.id);
  }
}

/**
 * Keeps a running upload from being taken for dead, by moving its row's deadline on, and notices
 * when the row is no longer its own.
 */
export class UploadLease {
  readonly #timer: NodeJS.Timeout;

  /**
   * @param renew throws SupersededError if the upload is lost
   * @param onLost is called with that error
   */
  constructor(
    private readonly ctx: RequestContext,
    private readonly renew: (ctx: RequestContext) => Promise<unknown>,
    private readonly onLost: (error: SupersededError) => void,
    private readonly logger: Logger,
    everyMs = RENEW_MS,
  ) {
    this.#timer = setInterval(() => void this.#renew(), everyMs);
    this.#timer.unref();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  async #renew(): Promise<void> {
    try {
      await this.renew(this.ctx);
    } catch (error) {
      if (error instanceof SupersededError) this.onLost(error);
      else this.logger.warn({ err: error }, 'could not renew the lease of an upload');
    }
  }
}
