/** Milliseconds for which what was seen holds. */
const LOOK_MS = 100;
/** The share of its time that a busy thread works. */
const BUSY_SHARE = 0.6;

/** @returns whether the thread that answers requests was busy most of the time of late */
export function watchMainThread(): () => boolean {
  let since = performance.eventLoopUtilization();
  let lookedAt = performance.now();
  let isBusy = false;
  return () => {
    const now = performance.now();
    if (now - lookedAt < LOOK_MS) return isBusy;
    isBusy = performance.eventLoopUtilization(since).utilization > BUSY_SHARE;
    since = performance.eventLoopUtilization();
    lookedAt = now;
    return isBusy;
  };
}
