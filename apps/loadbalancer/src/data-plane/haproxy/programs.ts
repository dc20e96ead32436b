/** The programs that load balancers need on their host, and which are missing. */
import { findProgram } from '@cumulet/common/programs/find-program';
import type { StartPrograms } from './process/command-line.js';

export interface ProxyPrograms extends StartPrograms {
  /** undefined: nothing is pinged, and members that should be are down. */
  readonly ping: string | undefined;
}

/** @returns the programs, or the names of those that are missing */
export async function findProxyPrograms(
  searchPath: string,
): Promise<ProxyPrograms | { readonly missing: readonly string[] }> {
  const [haproxy, prlimit, setpriv, nsenter, ping] = await Promise.all(
    ['haproxy', 'prlimit', 'setpriv', 'nsenter', 'ping'].map((one) => findProgram(one, searchPath)),
  );
  if (haproxy && prlimit && setpriv && nsenter) return { haproxy, prlimit, setpriv, nsenter, ping };
  const found = { haproxy, prlimit, setpriv, nsenter };
  return { missing: Object.entries(found).flatMap(([name, path]) => (path ? [] : [name])) };
}
