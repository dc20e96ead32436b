import type { RewrittenRequest } from '@cumulet/common/context/rewritten-request';

const COLLECTIONS =
  /^\/(?=(clustertemplates|clusters|certificates|credentials|federations|mservices|nodes|quotas|stats)(?=[/?]|$))/;

/** As in Magnum, a path without a version means v1. */
export function rewriteClustersUrl({ url = '/' }: RewrittenRequest): string {
  return url.replace(COLLECTIONS, '/v1/');
}
