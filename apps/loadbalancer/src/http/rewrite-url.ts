import type { RewrittenRequest } from '@cumulet/common/context/rewritten-request';

/** The version by either of its names, before anything but its own document. */
const VERSION = /^\/v2(?:\.0)?(?=\/[^/?])/;

/** Paths that Octavia has below `/v2` as well as below `/v2/lbaas`. */
const BARE = new RegExp(
  `^/v2\\.0(?=/(?:${[
    'availabilityzoneprofiles',
    'availabilityzones',
    'flavorprofiles',
    'flavors',
    'healthmonitors',
    'l7policies',
    'listeners',
    'loadbalancers',
    'pools',
    'providers',
    'quotas',
  ].join('|')})(?:[/?]|$))`,
);

/**
 * `/v2` and `/v2.0` are one version by two names, and `/lbaas` may be left out; routes have the
 * longest form. Public source: octavia, `api/v2/controllers/__init__.py`, whose `lbaas` is one more
 * of the version's own controllers.
 */
export function rewriteLoadBalancerUrl({ url = '/' }: RewrittenRequest): string {
  return url.replace(VERSION, '/v2.0').replace(BARE, '/v2.0/lbaas');
}
