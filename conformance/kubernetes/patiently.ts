import { eventually } from '../support/eventually.js';

/** As `eventually`, for emulated nodes, which want the processors for themselves. */
export function patiently<T>(
  what: string,
  limitMs: number,
  probe: () => Promise<T | undefined>,
): Promise<T> {
  return eventually(what, limitMs, probe, { everyMs: 5_000 });
}
