/**
 * Keeps a token verifier's revocation events fresh, for as long as a service runs.
 *
 * Always holds: one refresh at a time; while identity is out of reach the last known events stay in
 * force, and the outage is logged once when it begins and once when it ends.
 */
import type { Logger } from 'pino';
import type { TokenVerifier } from './token-verifier.js';

export class RevocationLoop {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = true;
  #failing = false;

  /** @param everyMs milliseconds between the end of one refresh and the start of the next */
  constructor(
    private readonly verifier: Pick<TokenVerifier, 'refresh'>,
    private readonly logger: Logger,
    private readonly everyMs: number,
  ) {}

  /** The first refresh begins at once; nobody waits for it. */
  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#next(0);
  }

  /** Returns once no refresh runs and none will. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #next(delayMs: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#refresh().finally(() => this.#next(this.everyMs));
    }, delayMs);
    this.#timer.unref();
  }

  async #refresh(): Promise<void> {
    try {
      await this.verifier.refresh();
    } catch (error) {
      if (!this.#failing && !this.#stopped)
        this.logger.warn({ err: error }, 'cannot read revocations; the last known stay in force');
      this.#failing = true;
      return;
    }
    if (this.#failing) this.logger.info('revocations can be read again');
    this.#failing = false;
  }
}
