/**
 * Scheduling as a pure function: from hosts and a request to a host, or to how many hosts each
 * filter refused. Public source: Nova admin guide, "Compute schedulers".
 */
import type { Candidate } from './candidate.js';
import {
  AFFINITY_FILTERS,
  AGGREGATE_FILTERS,
  AVAILABILITY_FILTERS,
  CAPABILITY_FILTERS,
  type Filter,
  RESOURCE_FILTERS,
  QUERY_FILTERS,
} from './filters.js';
import type { HostRequest } from './host-request.js';
import { byWeight } from './weighers.js';

export const FILTERS: readonly Filter[] = [
  ...AVAILABILITY_FILTERS,
  ...RESOURCE_FILTERS,
  ...AGGREGATE_FILTERS,
  ...CAPABILITY_FILTERS,
  ...AFFINITY_FILTERS,
  ...QUERY_FILTERS,
];

type Choice = { readonly host: string } | { readonly refusal: string };

/** The best of the hosts that pass every filter. */
export function chooseHost(hosts: readonly Candidate[], request: HostRequest): Choice {
  if (hosts.length === 0) return { refusal: 'No valid host was found: there are no hosts.' };
  const refusals: string[] = [];
  let left = hosts;
  for (const filter of FILTERS) {
    if (request.isForced === true && filter.isAlways !== true) continue;
    const passing = left.filter((host) => filter.passes(host, request));
    const refused = left.length - passing.length;
    if (refused > 0) {
      refusals.push(
        `${filter.name} refused ${refused} of ${left.length} (${filter.explain(left, request)})`,
      );
    }
    left = passing;
  }
  const [best] = byWeight(left, request);
  return best
    ? { host: best.name }
    : { refusal: `No valid host was found: ${refusals.join('; ')}.` };
}
