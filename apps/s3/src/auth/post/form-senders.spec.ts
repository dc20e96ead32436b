import { validateHeaderName, validateHeaderValue } from 'node:http';
import { forAllOf, storableText } from '@cumulet/testing/hostile-texts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { S3Request } from '../../http/s3-request.js';
import {
  contentHeadersOf,
  metadataHeaders,
  metadataOf,
} from '../../object-operations/writing/object-properties.js';
import { formRequestOf, meantFields } from './form-senders.js';

const request = {
  headers: { host: 'h', 'content-type': 'multipart/form-data', 'content-length': '9' },
  address: { bucket: { name: 'pictures', projectId: undefined }, key: undefined },
} as unknown as S3Request;

const fieldsOf = (fields: Record<string, string>) => new Map(Object.entries(fields));

describe('a form', () => {
  it('inserts the file name into its key literally', () => {
    const fields = meantFields(fieldsOf({ key: 'a/${filename}' }), '$&.txt', request);
    expect([...fields]).toEqual([
      ['key', 'a/$&.txt'],
      ['bucket', 'pictures'],
    ]);
  });

  it('becomes a request with its fields as headers', () => {
    const tagging = '<Tagging><TagSet><Tag><Key>a b</Key><Value>ü</Value></Tag></TagSet></Tagging>';
    const meant = formRequestOf(
      request,
      fieldsOf({
        key: 'k',
        acl: 'private',
        tagging,
        'content-type': 'text/plain',
        'x-amz-meta-word': 'thing',
        'x-amz-copy-source': '/a/b',
        'x-amz-tagging': 'c=d',
        success_action_status: '201',
      }),
    );
    expect(meant.address).toMatchObject({ key: 'k', bucket: { name: 'pictures' } });
    expect(meant.headers).toEqual({
      host: 'h',
      'content-type': 'text/plain',
      'x-amz-acl': 'private',
      'x-amz-meta-word': 'thing',
      'x-amz-tagging': 'a%20b=%C3%BC',
    });
  });

  it.each([
    ['without a key', {}, 'UserKeyMustBeSpecified'],
    ['with an empty key', { key: '' }, 'UserKeyMustBeSpecified'],
    ['with a key that is too long', { key: 'k'.repeat(1025) }, 'KeyTooLongError'],
    ['with tags that are not XML', { key: 'k', tagging: 'a=b' }, 'MalformedXML'],
  ])('is refused %s', (_, fields, code) => {
    expect(() => formRequestOf(request, fieldsOf(fields))).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

it('a field that cannot be returned as a header is refused, and any other is kept', () => {
  const names = fc.oneof(
    fc.constant('content-type'),
    storableText.map((text) => `x-amz-meta-${text}`),
  );
  forAllOf(fc.tuple(names, storableText), ([name, text]) => {
    const fields = new Map([
      ['key', 'k'],
      [name.toLowerCase(), text],
    ]);
    let meant: S3Request;
    try {
      meant = formRequestOf(request, fields);
    } catch (error) {
      expect(error).toMatchObject({ code: 'InvalidArgument' });
      return;
    }
    const headers = {
      ...contentHeadersOf(meant.headers),
      ...metadataHeaders(metadataOf(meant.headers)),
    };
    for (const [header, value] of Object.entries(headers)) {
      validateHeaderName(header);
      validateHeaderValue(header, value);
    }
  });
});

it('a UTF-8 field is kept like a UTF-8 header', () => {
  const { headers } = formRequestOf(request, fieldsOf({ key: 'k', 'x-amz-meta-a': 'ü日' }));
  expect(metadataOf(headers)).toEqual({ a: 'ü日' });
});
