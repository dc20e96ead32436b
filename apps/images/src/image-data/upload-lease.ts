import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Logger } from 'pino';
import { UploadLostError } from '../images/image.errors.js';
import type { Upload, UploadRepository } from './upload.repository.js';

/** Well below the deadline of `saving`, so that a few that fail do no harm. */
const RENEW_MS = 5_000;

/**
 * Keeps a running upload from being taken for dead, by moving its row's deadline on, and notices
 * when the row is no longer its own.
 */
export class UploadLease {
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly uploads: UploadRepository,
    private readonly ctx: RequestContext,
    private readonly upload: Upload,
    private readonly logger: Logger,
    private readonly onLost: (error: UploadLostError) => void,
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
      await this.uploads.progress(this.ctx, this.upload);
    } catch (error) {
      if (error instanceof UploadLostError) this.onLost(error);
      else
        this.logger.warn({ err: error, ...this.upload }, 'could not renew the lease of an upload');
    }
  }
}
