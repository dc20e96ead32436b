/** Against the examples that Amazon publishes with its description of the signatures. */
import { describe, expect, it } from '@jest/globals';
import { queryOf } from '../../http/s3-request.js';
import { signV2, stringToSignV2 } from './v2.js';

const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';

interface Example {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly date: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Undefined where the path names it. */
  readonly bucket?: string | undefined;
}

const textOf = ({ method = 'GET', path = '/', query = '', ...more }: Example): string => {
  const { headers = {}, bucket, date } = more;
  const named = bucket === undefined ? undefined : { name: bucket, projectId: undefined };
  const address = { bucket: named, key: undefined, isHostStyle: bucket !== undefined };
  return stringToSignV2({ method, rawPath: path, query: queryOf(query), headers, address }, date);
};

const signatureOf = (example: Example): string => signV2(SECRET, textOf(example));
const bucket = 'johnsmith';
const path = '/photos/puppy.jpg';

describe('a version 2 signature', () => {
  it('covers reading and writing an object', () => {
    const read = { bucket, path, date: 'Tue, 27 Mar 2007 19:36:42 +0000' };
    expect(signatureOf(read)).toBe('bWq2s1WEIj+Ydj0vQ697zp+IXMU=');
    const headers = { 'content-type': 'image/jpeg', 'content-length': '94328' };
    const write = { bucket, path, headers, date: 'Tue, 27 Mar 2007 21:15:45 +0000' };
    expect(signatureOf({ ...write, method: 'PUT' })).toBe('MyyxeRY7whkBe+bq8fHCL/2kKUg=');
  });

  it('leaves the parameters of a list unsigned', () => {
    const query = 'prefix=photos&max-keys=50&marker=puppy';
    const list = { bucket, query, date: 'Tue, 27 Mar 2007 19:42:41 +0000' };
    expect(signatureOf(list)).toBe('htDYFYduRNen8P9ZfE/s9SuKy0U=');
  });

  it('covers the ACL parameter', () => {
    const get = { bucket, query: 'acl', date: 'Tue, 27 Mar 2007 19:44:46 +0000' };
    expect(signatureOf(get)).toBe('c2WLPFtWHVgbEmeEG93a4cG37dM=');
  });

  it('covers the metadata of an object', () => {
    const headers = {
      'x-amz-acl': 'public-read',
      'content-type': 'application/x-download',
      'content-md5': '4gJE4saaMU4BqNR0kLY+lw==',
      'x-amz-meta-reviewedby': 'joe@johnsmith.net,jane@johnsmith.net',
      'x-amz-meta-filechecksum': '0x02661779',
      'x-amz-meta-checksumalgorithm': 'crc32',
      'content-disposition': 'attachment; filename=database.dat',
    };
    const put = { method: 'PUT', path: '/db-backup.dat.gz', bucket: 'static.johnsmith.net' };
    const date = 'Tue, 27 Mar 2007 21:06:08 +0000';
    expect(signatureOf({ ...put, headers, date })).toBe('ilyl83RwaSoYIEdixDQcA4OnAnc=');
  });

  it('covers listing all buckets, and a key as it was encoded', () => {
    const date = 'Wed, 28 Mar 2007 01:29:59 +0000';
    expect(signatureOf({ date })).toBe('qGdzdERIC03wnaRNKh6OqZehG9s=');
    const get = { path: '/dictionary/fran%C3%A7ais/pr%c3%a9f%c3%a8re' };
    const later = 'Wed, 28 Mar 2007 01:49:49 +0000';
    expect(signatureOf({ ...get, date: later })).toBe('DNEZGsoieTZ92F3bUfSPQcbGmlM=');
  });

  it('can be in a URL', () => {
    const query = 'AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE&Expires=1175139620&Signature=x';
    const get = { bucket, path, query, date: '1175139620' };
    expect(signatureOf(get)).toBe('NpgCjnDzrM+WFzoENXmpNDUsSn8=');
  });
});

describe('the string to sign', () => {
  it('has the date once, among the sorted headers', () => {
    const headers = { 'x-amz-meta-b': '1', 'x-amz-date': 'now', 'x-amz-acl': 'private' };
    const text = textOf({ date: 'then', headers });
    expect(text).toBe('GET\n\n\n\nx-amz-acl:private\nx-amz-date:now\nx-amz-meta-b:1\n/');
  });

  it('has the decoded query parameters that name the resource, in order', () => {
    const query = 'versionId=1&prefix=x&response-content-type=a%2Fb&acl';
    const text = textOf({ date: 'd', path: '/b/k', query });
    expect(text).toBe('GET\n\n\nd\n/b/k?acl&response-content-type=a/b&versionId=1');
  });
});
