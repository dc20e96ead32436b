import { describe, expect, it } from '@jest/globals';
import { rewriteImagesUrl } from './rewrite-url.js';

const rewrite = (url: string): string => rewriteImagesUrl({ url });

describe('rewriteImagesUrl', () => {
  it.each([
    ['/v2/', '/v2'],
    ['/v2/?x=1', '/v2?x=1'],
  ])('takes %s for %s', (from, to) => {
    expect(rewrite(from)).toBe(to);
  });

  it.each(['/', '/v2', '/v2/images/', '/v2/images?next=/v2/'])('leaves %s alone', (url) => {
    expect(rewrite(url)).toBe(url);
  });
});
