export interface Pace {
  /** Between two looks: of one that takes a program, longer, so that it is not what slows what it looks at. */
  readonly everyMs?: number;
}

/** The most that the pause grows to by itself. */
const MOST_MS = 1_000;

/**
 * Retries until `probe` returns a value, and fails with `what` after `limitMs`. The pause grows to a tenth
 * of the time waited, so that looking costs less than what it looks at.
 */
export async function eventually<T>(
  what: string,
  limitMs: number,
  probe: () => Promise<T | undefined>,
  { everyMs = 200 }: Pace = {},
): Promise<T> {
  const start = Date.now();
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    const waited = Date.now() - start;
    if (waited > limitMs) throw new Error(`${what} did not come about within ${limitMs} ms`);
    const pause = Math.max(everyMs, Math.min(waited / 10, MOST_MS));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
