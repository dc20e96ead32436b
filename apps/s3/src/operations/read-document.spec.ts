import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { RequestBody } from '../auth/bodies/request-body.js';
import type { S3Request } from '../http/s3-request.js';
import { documentOf, xmlOf } from './read-document.js';

function sent(text: string | Buffer, headers: Record<string, string> = {}, length?: number) {
  const body: RequestBody = {
    length,
    open: () => Readable.from([Buffer.from(text as string)]),
    trailers: () => ({}),
  };
  return { body, request: { headers } as unknown as S3Request };
}

describe('a document', () => {
  it('is read completely', async () => {
    const headers = { 'content-md5': 'CY9rzUYh03PK3k6DJie09g==' };
    expect((await documentOf(sent('test', headers))).toString()).toBe('test');
    expect(await documentOf(sent(''))).toHaveLength(0);
  });

  it.each([
    ['announced', 5],
    ['unannounced', undefined],
  ])('is refused if %s bytes are too many', async (_, length) => {
    const code = 'EntityTooLarge';
    await expect(documentOf(sent('12345', {}, length), 4)).rejects.toMatchObject({ code });
    expect(await documentOf(sent('1234', {}, length && 4), 4)).toHaveLength(4);
  });

  it.each([
    ['CY9rzUYh03PK3k6DJie08g==', 'BadDigest'],
    ['CY9rzUYh03PK3k6DJie09g', 'InvalidDigest'],
    ['', 'InvalidDigest'],
  ])('is refused with the Content-MD5 "%s"', async (md5, code) => {
    await expect(documentOf(sent('test', { 'content-md5': md5 }))).rejects.toMatchObject({ code });
  });

  it('matches its checksum', async () => {
    const headers = { 'x-amz-checksum-crc32': '2H9+DA==', 'x-amz-sdk-checksum-algorithm': 'CRC32' };
    expect((await documentOf(sent('test', headers))).toString()).toBe('test');
    const code = 'BadDigest';
    await expect(documentOf(sent('Test', headers))).rejects.toMatchObject({ code });
    const trailing = { 'x-amz-trailer': 'x-amz-checksum-crc32' };
    const trailers = () => ({ 'x-amz-checksum-crc32': '2H9+DA==' });
    const behind = (text: string) => {
      const { body, request } = sent(text, trailing);
      return documentOf({ request, body: { ...body, trailers } });
    };
    expect((await behind('test')).toString()).toBe('test');
    await expect(behind('Test')).rejects.toMatchObject({ code });
  });
});

describe('XML', () => {
  it('is read', async () => {
    expect((await xmlOf(sent('<Tag><Key>ä</Key></Tag>'), 'Tag')).need('Key').text).toBe('ä');
  });

  it.each([
    ['', 'MissingRequestBodyError'],
    ['<Tag>', 'MalformedXML'],
    ['<Other/>', 'MalformedXML'],
    [Buffer.from('<Tag>\xff</Tag>', 'latin1'), 'MalformedXML'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><Tag>&b;</Tag>', 'MalformedXML'],
  ])('is refused if it is %s', async (text, code) => {
    await expect(xmlOf(sent(text), 'Tag')).rejects.toMatchObject({ code });
  });
});
