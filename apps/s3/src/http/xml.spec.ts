import { describe, expect, it } from '@jest/globals';
import { forAllOf, storableText } from '@cumulet/testing/hostile-texts';
import fc from 'fast-check';
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

  it('what is written, as a text, an attribute, and in lists', () => {
    forAllOf(fc.tuple(storableText, storableText), ([one, other]) => {
      const tree = { '@a': one, Key: [one, other], Deep: { '@b': other, Value: one } };
      const root = readXml(writeXml('Root', tree), 'Root');
      expect(root.names).toEqual(['Key', 'Deep']);
      expect(root.children('Key').map(({ text }) => text)).toEqual([one, other]);
      expect([root.attribute('a'), root.need('Deep').attribute('b')]).toEqual([one, other]);
      expect(root.need('Deep').need('Value').text).toBe(one);
      // Nothing but what the document is made of is left of its texts.
      expect(writeXml('Root', tree)).not.toMatch(/[^\t\n\x7f-\x9f\P{Cc}]|[\ufffe\uffff]/u);
    });
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
