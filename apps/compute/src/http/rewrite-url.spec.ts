import { describe, expect, it } from '@jest/globals';
import type { RewrittenRequest } from '@cumulet/common/context/rewritten-request';
import { rewriteComputeUrl } from './rewrite-url.js';

const PROJECT = '0123456789abcdef0123456789abcdef';

function rewrite(url: string): { url: string; project: string | undefined } {
  const request = { url } as RewrittenRequest;
  return { url: rewriteComputeUrl(request), project: request.pathProjectId };
}

describe('rewriteComputeUrl', () => {
  it.each([
    ['/servers', '/servers', undefined],
    ['/v2.1/servers', '/servers', undefined],
    ['/v2/servers', '/servers', undefined],
    [`/v2/${PROJECT}/servers`, '/servers', PROJECT],
    [`/v2.1/${PROJECT}/servers`, '/servers', PROJECT],
    [`/v2.1/${PROJECT}/servers/detail?limit=1`, '/servers/detail?limit=1', PROJECT],
    [
      '/v2.1/01234567-89ab-cdef-0123-456789abcdef/flavors',
      '/flavors',
      '01234567-89ab-cdef-0123-456789abcdef',
    ],
  ])('removes the prefix of %s', (from, to, project) => {
    expect(rewrite(from)).toEqual({ url: to, project });
  });

  it.each(['/', '/v2.1', '/v2.1/', '/v2.1?x=1', '/v2/', '/v2.10/servers', '/servers/v2.1'])(
    'leaves %s alone',
    (url) => {
      expect(rewrite(url)).toEqual({ url, project: undefined });
    },
  );
});
