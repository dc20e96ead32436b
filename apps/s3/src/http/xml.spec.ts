import { forAllOf, storableText } from '@cumulet/testing/hostile-texts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { excessOfXml, readXml, writeXml } from './xml.js';

const textOf = (content: string): string => readXml(`<Key>${content}</Key>`, 'Key').text;

describe('a document is read back', () => {
  it.each([
    ['&lt;&amp;&gt;', '<&>'],
    ['a&#13;&#xA;&#x1F600;', 'a\r\n😀'],
    ['&#1;', '\u0001'],
    ['&amp;#13;', '&#13;'],
    ['&amp;amp;', '&amp;'],
    [' 007 ', ' 007 '],
    ['<![CDATA[<&]]>', '<&'],
  ])('with %s', (content, text) => expect(textOf(content)).toBe(text));

  it('as it was written, for texts, attributes and lists', () => {
    forAllOf(fc.tuple(storableText, storableText), ([one, other]) => {
      const tree = { '@a': one, Key: [one, other], Deep: { '@b': other, Value: one } };
      const root = readXml(writeXml('Root', tree), 'Root');
      expect(root.names).toEqual(['Key', 'Deep']);
      expect(root.children('Key').map(({ text }) => text)).toEqual([one, other]);
      expect([root.attribute('a'), root.need('Deep').attribute('b')]).toEqual([one, other]);
      expect(root.need('Deep').need('Value').text).toBe(one);
      // Texts contain no markup and no invalid characters.
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

it('custom entities are refused, however few', () => {
  const text = '<!DOCTYPE a [<!ENTITY b "c">]><Key>&b;</Key>';
  expect(() => readXml(text, 'Key')).toThrow('declares a document type');
});

const object = `<Object><Key>${'k'.repeat(1_024)}</Key><VersionId>v</VersionId><ETag>"e"</ETag></Object>`;

describe('an XML document', () => {
  it.each([
    ['a thousand objects to delete', object.repeat(1_000)],
    ['as many elements as allowed', '<a></a>'.repeat(19_999)],
    ['as many empty elements as allowed', '<a/>'.repeat(39_998)],
    ['markup within attributes', '<a b="<=>" c=\'"<>"\'/>'.repeat(500)],
    ['markup within characters', `<![CDATA[${'<a b="c">'.repeat(1_800)}]]>`.repeat(20)],
    ['markup within a comment', `<!--${'<a b="c">'.repeat(1_800)}-->`.repeat(20)],
    ['as many references as allowed', `<Key>${'&lt;'.repeat(4_000)}</Key>`.repeat(5)],
    ['invalid XML, which the parser refuses', '<a'],
  ])('may have %s', (_, content) => {
    expect(excessOfXml(`<Delete>${content}</Delete>`)).toBeUndefined();
  });

  it.each([
    ['elements', '<a></a>'.repeat(20_000), 'more than 20000 elements'],
    ['ends', '</a>'.repeat(40_000), 'more than 20000 elements'],
    ['comments', '<!---->'.repeat(20_001), 'more than 20000 elements'],
    ['instructions', '<?a?>'.repeat(20_001), 'more than 20000 elements'],
    ['sections', '<![CDATA[]]>'.repeat(20_001), 'more than 20000 elements'],
    [
      'names',
      Array.from({ length: 201 }, (_, at) => `<a${at}/>`).join(''),
      'of more than 200 different names',
    ],
    ['attributes', '<a b="1"/>'.repeat(1_001), 'more than 1000 attributes'],
    ['characters in a tag', `<a ${' '.repeat(4_096)}>`, 'a tag of more than 4096 characters'],
    ['characters in a text', ' '.repeat(16_385), 'a text of more than 16384 characters'],
    ['characters in a section', `<!--${' '.repeat(16_385)}-->`, 'a text of more than 16384'],
    ['references', '&lt;'.repeat(20_001), 'more than 20000 references'],
  ])('must not have too many %s', (_, content, message) => {
    expect(excessOfXml(`<Delete>${content}</Delete>`)).toContain(message);
  });

  it('must not end within a section', () => {
    for (const start of ['<!--', '<![CDATA[', '<?'])
      expect(excessOfXml(start + '-'.repeat(9))).toContain('ends within');
  });

  it('follows the limits of its operation', () => {
    expect(excessOfXml('<a><b/></a>', { elements: 1 })).toContain('more than 1 elements');
    expect(excessOfXml('<a></a>'.repeat(20_001), { elements: 30_000 })).toBeUndefined();
  });
});
