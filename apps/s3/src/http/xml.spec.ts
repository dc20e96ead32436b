import { describe, expect, it } from '@jest/globals';
import { readXml, writeXml } from './xml.js';

const textOf = (content: string): string => readXml(`<Key>${content}</Key>`, 'Key').text;

describe('a document is read with', () => {
  it.each([
    ['&lt;&amp;&gt;', '<&>'],
    ['a&#13;&#xA;&#x1F600;', 'a\r\n😀'],
    ['&#1;', '\u0001'],
    ['&amp;#13;', '&#13;'],
    ['&amp;amp;', '&amp;'],
    [' 007 ', ' 007 '],
    ['<![CDATA[<&]]>', '<&'],
  ])('%s', (content, text) => expect(textOf(content)).toBe(text));

  it.each(['\r\n\t', '<&>"', '\u0001', ' a ', '&#13;'])('what is written: %j', (text) => {
    expect(readXml(writeXml('Key', text), 'Key').text).toBe(text);
  });
});

it.each(['&#0;', '&#xD800;', '&#x110000;', '&#1114112;', '&lt', '<a>', '&#xZ;'])(
  '%s is refused',
  (content) => {
    expect(() => textOf(content)).toThrow(expect.objectContaining({ code: 'MalformedXML' }));
  },
);

it('entities of its own are refused, however few', () => {
  const text = '<!DOCTYPE a [<!ENTITY b "c">]><Key>&b;</Key>';
  expect(() => readXml(text, 'Key')).toThrow('declares a document type');
});
