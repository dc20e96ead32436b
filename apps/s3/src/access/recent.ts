/** What was last learnt, by name: never more than so many; the oldest goes first. */
export class Recent<T> {
  readonly #known = new Map<string, { readonly value: T; readonly until: number }>();

  /** @param max how many are kept */
  constructor(private readonly max: number) {}

  get(name: string): T | undefined {
    const found = this.#known.get(name);
    return found && performance.now() < found.until ? found.value : undefined;
  }

  /** @param life for how many milliseconds it counts; for good by default */
  set(name: string, value: T, life = Infinity): T {
    this.#known.delete(name);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= this.max && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(name, { value, until: performance.now() + life });
    return value;
  }
}
