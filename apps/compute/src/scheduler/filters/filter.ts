import type { Candidate } from '../candidate.js';
import type { HostRequest } from '../host-request.js';

/** One rule about which hosts will do. Public source: Nova admin guide, "Compute schedulers: Filters". */
export interface Filter {
  /** Nova's name of it, which refusals tell. */
  readonly name: string;
  /** Whether it holds also for a host that an administrator has forced. */
  readonly isAlways?: boolean;
  passes(host: Candidate, request: HostRequest): boolean;
  /** Why the remaining hosts did not pass, for the server's owner. */
  explain(hosts: readonly Candidate[], request: HostRequest): string;
}
