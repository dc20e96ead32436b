import type { RequestContext } from '../context/request-context.js';

/** A driver chosen by the capabilities of this machine. Start-up lines name it and the reason. */
export class ChosenDriver<Driver> {
  /**
   * @param kind `hypervisor`
   * @param reason for the choice
   */
  constructor(
    readonly kind: string,
    readonly driver: Driver,
    readonly reason: string,
  ) {}
}

/** A choice that depends on other services; start-up lines query it once all of them answer. */
export abstract class LateChoice {
  /** `clusters` */
  abstract readonly kind: string;

  /** @returns the choice, or what it still waits for */
  abstract reason(ctx: RequestContext): Promise<string>;
}

/** A start-up line. */
export interface DriverLine {
  readonly kind: string;
  readonly reason: string;
}
