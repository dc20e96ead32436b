/** An upload is alive while its process holds a lock and renews the row's deadline. */
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
 * This process as the owner of its uploads. It holds an advisory lock while it lives; once another
 * process can take the lock, the uploads are dead.
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

/** Renews the deadline of an upload's row, and detects when another has taken it over. */
export class UploadLease {
  readonly #timer: NodeJS.Timeout;

  /**
   * @param renew throws SupersededError if the upload is lost
   * @param onLost receives that error
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
