export interface Pace {
  /** Between two looks: of one that takes a program, longer, so that it is not what slows what it looks at. */
  readonly everyMs?: number;
}

/** Retries until `probe` returns a value, and fails with `what` after `limitMs`. */
export async function eventually<T>(
  what: string,
  limitMs: number,
  probe: () => Promise<T | undefined>,
  { everyMs = 200 }: Pace = {},
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${what} did not come about within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
