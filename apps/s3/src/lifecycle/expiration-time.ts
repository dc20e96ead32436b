/**
 * When something is due that is so many days old. Public source: Amazon S3 user guide, "Lifecycle
 * rules: based on an object's age": the end of the day, UTC, in which it has reached its age. Pure.
 */
export const DAY_MS = 86_400_000;

/**
 * @param since what its age is counted from
 * @param dayMs how long a day is: shorter ones let tests see days pass
 */
export function dueAt(since: Date, days: number, dayMs = DAY_MS): Date {
  return new Date(Math.ceil((since.getTime() + days * dayMs) / dayMs) * dayMs);
}

/** What is older than this is due now: the inverse of `dueAt`. */
export function dueBefore(now: Date, days: number, dayMs = DAY_MS): Date {
  return new Date((Math.floor(now.getTime() / dayMs) - days) * dayMs);
}
