/** The release of this code, as docs/releases.md means it: the version of every package. */
export const RELEASE = '0.2.0';

/**
 * The oldest release that the schemas of this release serve, unless a service's declaration names
 * another: the one before, so that a cloud is upgraded, and goes back, one process at a time.
 */
export const SERVES = '0.1.0';

/** Negative if `a` came before `b`, positive if after it. @param a `0.10.1` */
export function compareReleases(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
