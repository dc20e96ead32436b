/** The release of this code, as docs/releases.md means it: the version of every package. */
export const RELEASE = '0.2.0';
