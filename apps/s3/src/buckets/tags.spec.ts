import { describe, expect, it } from '@jest/globals';
import { readXml, writeXml } from '../http/xml.js';
import { headerTagsOf, tagsTree, xmlTagsOf } from './tags.js';

function inXml(pairs: readonly (readonly [string, string])[]): string {
  return writeXml('Tagging', { TagSet: { Tag: pairs.map(([Key, Value]) => ({ Key, Value })) } });
}

function read(pairs: readonly (readonly [string, string])[]): unknown {
  return xmlTagsOf(readXml(inXml(pairs), 'Tagging'), 10);
}

const INVALID = expect.objectContaining({ code: 'InvalidTag' });

describe('tags', () => {
  it('are read from a header', () => {
    const headers = { 'x-amz-tagging': 'foo=bar&bar&a%20b=%C3%A4+c' };
    expect(headerTagsOf(headers)).toEqual({ foo: 'bar', bar: '', 'a b': 'ä c' });
  });

  it('are empty without a header', () => {
    expect(headerTagsOf({})).toEqual({});
  });

  it.each(['a=1&&b=2', 'a=%zz'])('in the header %s are refused', (header) => {
    expect(() => headerTagsOf({ 'x-amz-tagging': header })).toThrow(
      expect.objectContaining({ code: 'InvalidArgument' }),
    );
  });

  it('are read from a document', () => {
    expect(
      read([
        ['b', '2'],
        ['a', ''],
      ]),
    ).toEqual({ a: '', b: '2' });
    expect(read([])).toEqual({});
  });

  it('are shown in order of their keys', () => {
    expect(tagsTree({ b: '2', a: '1' })).toEqual({
      TagSet: {
        Tag: [
          { Key: 'a', Value: '1' },
          { Key: 'b', Value: '2' },
        ],
      },
    });
  });

  it.each([
    ['an empty key', [['', 'a']]],
    ['a key that is too long', [['k'.repeat(129), 'a']]],
    ['a value that is too long', [['k', 'v'.repeat(257)]]],
    [
      'a repeated key',
      [
        ['k', '1'],
        ['k', '2'],
      ],
    ],
    ['a reserved key', [['aws:k', '1']]],
    ['an invalid character', [['k', 'a\u0000b']]],
    ['more than ten tags', Array.from({ length: 11 }, (_, at) => [String(at), ''])],
  ] as [string, [string, string][]][])('with %s are refused', (_, pairs) => {
    const header = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
    expect(() => headerTagsOf({ 'x-amz-tagging': header })).toThrow(INVALID);
  });

  it.each(['<Tagging/>', '<Tagging><TagSet><Tag><Key>a</Key></Tag></TagSet></Tagging>'])(
    'are refused in %s',
    (text) => {
      expect(() => xmlTagsOf(readXml(text, 'Tagging'), 10)).toThrow(
        expect.objectContaining({ code: 'MalformedXML' }),
      );
    },
  );
});
