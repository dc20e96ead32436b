import { expect, it } from '@jest/globals';
import { rewriteNetworkUrl } from './rewrite-url.js';

it.each([
  ['/v2.0/policies/1/tags', '/v2.0/qos/policies/1/tags'],
  ['/v2.0/policies/1/tags/a?x=1', '/v2.0/qos/policies/1/tags/a?x=1'],
  ['/v2.0/qos/policies/1/tags', '/v2.0/qos/policies/1/tags'],
  ['/v2.0/policies', '/v2.0/policies'],
  ['/v2.0/policies/1', '/v2.0/policies/1'],
  ['/v2.0/policies/1/tagsx', '/v2.0/policies/1/tagsx'],
])('the path of tags %s is served as %s', (asked, served) => {
  expect(rewriteNetworkUrl({ url: asked })).toBe(served);
});
