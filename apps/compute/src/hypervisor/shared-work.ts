/** Concurrent callers with the same key share one run of the work, and its outcome. */
export class SharedWork {
  private readonly running = new Map<string, Promise<void>>();

  async run(key: string, work: () => Promise<void>): Promise<void> {
    const earlier = this.running.get(key);
    if (earlier !== undefined) return earlier;
    const mine = work().finally(() => this.running.delete(key));
    this.running.set(key, mine);
    return mine;
  }
}
