import { describe, expect, it } from '@jest/globals';
import { firstPageUrl, nextPageUrl } from './paging.js';

describe('page addresses', () => {
  it('keep the query and replace the marker', () => {
    expect(nextPageUrl('/servers?limit=2&marker=a&name=x', 'b')).toBe(
      '/servers?limit=2&marker=b&name=x',
    );
  });

  it('keep a question mark within the query', () => {
    expect(nextPageUrl('/servers?name=webs?', 'b')).toBe('/servers?name=webs%3F&marker=b');
  });

  it('omit the marker on the first page', () => {
    expect(firstPageUrl('/servers?marker=a&limit=2')).toBe('/servers?limit=2');
    expect(firstPageUrl('/servers?marker=a')).toBe('/servers');
    expect(firstPageUrl('/servers')).toBe('/servers');
  });
});
