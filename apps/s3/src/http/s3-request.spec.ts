import { describe, expect, it } from '@jest/globals';
import { queryOf, withQueryHeaders } from './s3-request.js';

const merged = (query: string, headers = {}): unknown => withQueryHeaders(headers, queryOf(query));

describe('the query of a presigned URL', () => {
  it('replaces headers that are not sent', () => {
    const query = 'x-amz-acl=public-read&X-Amz-Meta-A=b%20c&X-Amz-Signature=1';
    const headers = { host: 'here', 'x-amz-meta-a': 'sent' };
    const acl = { 'x-amz-acl': 'public-read' };
    expect(merged(query, headers)).toEqual({ ...headers, ...acl });
    expect(merged(query)).toEqual({ ...acl, 'x-amz-meta-a': 'b c' });
  });

  it('does not describe a body that its signer has not seen', () => {
    const query =
      'x-amz-checksum-crc32=AAAAAA%3D%3D&x-amz-sdk-checksum-algorithm=CRC32&X-Amz-Date=1';
    expect(merged(`${query}&X-Amz-Signature=1`)).toEqual({});
    const mode = { 'x-amz-checksum-mode': 'ENABLED' };
    expect(merged('x-amz-checksum-mode=ENABLED&X-Amz-Signature=1')).toEqual(mode);
  });

  it('sets a content type only with version 2', () => {
    const type = { 'content-type': 'text/plain' };
    expect(merged('content-type=text/plain&Signature=1')).toEqual(type);
    expect(merged('content-type=text/plain&X-Amz-Signature=1')).toEqual({});
  });

  it('sets no headers if it is not signed', () => {
    expect(merged('x-amz-acl=public-read')).toEqual({});
  });
});
