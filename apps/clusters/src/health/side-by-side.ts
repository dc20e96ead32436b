export interface SideBySideOptions {
  /** How many are worked on at the same time. */
  readonly atOnce: number;
  /** Aborted when no more shall be begun. */
  readonly stopping: AbortSignal;
}

/**
 * Works on each, in their order: the next begins as soon as any is done, so that one that takes long
 * holds up nobody.
 * @throws what the work throws, once nothing is under way any more
 */
export async function sideBySide<T>(
  all: readonly T[],
  { atOnce, stopping }: SideBySideOptions,
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
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
