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
