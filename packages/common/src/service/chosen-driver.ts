import type { RequestContext } from '../context/request-context.js';

/** A driver chosen for what this machine has. The start-up lines say which, and why. */
export class ChosenDriver<Driver> {
  /**
   * @param kind what it drives: `hypervisor`
   * @param reason why it was chosen
   */
  constructor(
    readonly kind: string,
    readonly driver: Driver,
    readonly reason: string,
  ) {}
}

/** What is chosen by what the cloud's other services say: start-up lines ask once all of them answer. */
export abstract class LateChoice {
  /** What it is about: `clusters`. */
  abstract readonly kind: string;

  /** @returns what was chosen, or what the choice still waits for */
  abstract reason(ctx: RequestContext): Promise<string>;
}

/** A start-up line. */
export interface DriverLine {
  readonly kind: string;
  readonly reason: string;
}
