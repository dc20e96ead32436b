import { describe, expect, it } from '@jest/globals';
import { rewriteLoadBalancerUrl } from './rewrite-url.js';

describe('an Octavia path', () => {
  it.each([
    ['/v2.0/lbaas/loadbalancers', '/v2.0/lbaas/loadbalancers'],
    ['/v2/lbaas/loadbalancers?limit=1', '/v2.0/lbaas/loadbalancers?limit=1'],
    ['/v2/loadbalancers', '/v2.0/lbaas/loadbalancers'],
    ['/v2.0/pools/1/members/2', '/v2.0/lbaas/pools/1/members/2'],
    ['/v2.0/l7policies?name=a', '/v2.0/lbaas/l7policies?name=a'],
    ['/v2/quotas/defaults', '/v2.0/lbaas/quotas/defaults'],
    ['/v2/flavorprofiles', '/v2.0/lbaas/flavorprofiles'],
    ['/v2/octavia/amphorae', '/v2.0/octavia/amphorae'],
  ])('%s is served as %s', (asked, served) => {
    expect(rewriteLoadBalancerUrl({ url: asked })).toBe(served);
  });

  it.each(['/', '/v2', '/v2.0', '/v2/', '/v2.0/poolsides', '/v3/pools', '/v2.1/pools'])(
    'of another form is unchanged: %s',
    (asked) => {
      expect(rewriteLoadBalancerUrl({ url: asked })).toBe(asked);
    },
  );
});
