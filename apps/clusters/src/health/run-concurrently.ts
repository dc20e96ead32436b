export interface ConcurrencyOptions {
  /** The maximum number of concurrent items. */
  readonly limit: number;
  /** No item is begun once this is aborted. */
  readonly stopping: AbortSignal;
}

/**
 * Processes items in order; the next begins as soon as any is done.
 * @throws the first error, after all running items have ended
 */
export async function runConcurrently<T>(
  all: readonly T[],
  { limit, stopping }: ConcurrencyOptions,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = all.values();
  const lane = async (): Promise<void> => {
    while (!stopping.aborted) {
      const { value, done } = waiting.next();
      if (done) return;
      await work(value);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: limit }, lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
