import { expect, it } from '@jest/globals';
import { forAllOf, hostileText, storableText } from '@cumulet/testing/hostile-texts';
import fc from 'fast-check';
import { multipart, partsOf, TOKEN, type MimePart } from './mime.js';

/** Parses a multi-part mail: parts between boundary lines, each with headers of one line. */
function read(text: string): readonly { headers: Map<string, string>; content: string }[] {
  const [head = '', ...body] = text.split('\n\n');
  const [, boundary = ''] =
    /^Content-Type: multipart\/mixed; boundary="([^"]+)"\n/.exec(head) ?? [];
  const [before, ...parts] = `\n${body.join('\n\n')}`.split(`\n--${boundary}`);
  expect([before, parts.pop()]).toEqual(['', '--\n']);
  return parts.map((part) => {
    const end = part.indexOf('\n\n');
    const lines = part.slice(1, end).split('\n');
    const headers = new Map(
      lines.map((line) => {
        const [, name = '', value = ''] = /^([A-Za-z-]+): ([\x20-\x7e]+)$/.exec(line) ?? [];
        return [name, value];
      }),
    );
    expect(headers.size).toBe(lines.length);
    return { headers, content: part.slice(end + 2) };
  });
}

const part = fc.record({ content: storableText, subtype: hostileText, filename: storableText });
const isToken = new RegExp(`^${TOKEN}$`);

it('parts keep their content, type and name, and get no other header', () => {
  forAllOf(fc.array(part, { minLength: 1, maxLength: 3 }), (parts) => {
    const text = multipart(parts);
    for (const [at, { headers, content }] of read(text).entries()) {
      const { subtype, ...given } = parts[at] ?? { content: '', subtype: '' };
      const type = isToken.test(subtype) ? subtype : 'plain';
      expect(headers.get('Content-Type')).toMatch(/^text\/[^;]+; charset="(us-ascii|utf-8)"$/);
      expect(headers.get('Content-Type')?.split(/[/;]/)[1]).toBe(type);
      const isPlain = headers.get('Content-Transfer-Encoding') === '7bit';
      expect(isPlain ? content : Buffer.from(content, 'base64').toString()).toBe(given.content);
      // Unencoded content has no characters that a reader could take for a line end.
      if (isPlain) expect(content).toMatch(/^(?:[\t\x20-\x7e]|\r?\n)*$/);
      expect([...headers.keys()]).toEqual([
        'Content-Type',
        'MIME-Version',
        'Content-Transfer-Encoding',
        'Content-Disposition',
      ]);
    }
    const again = parts.map((one): MimePart => {
      const subtype = isToken.test(one.subtype) ? one.subtype : 'plain';
      return { ...one, subtype };
    });
    expect(partsOf(text)).toEqual(again);
  });
});

it.each([
  ['filename="a b.sh"', 'a b.sh'],
  ['filename=a.sh; x=y', 'a.sh'],
  [String.raw`x="y"; filename="a\"b\\.sh"`, String.raw`a"b\.sh`],
  ["filename*=UTF-8'en'%C3%A4.sh", 'ä.sh'],
  ['x=y', undefined],
])('a part named by %s is read', (named, filename) => {
  const head = 'Content-Type: multipart/mixed; boundary="b"\n\n';
  const text = `${head}--b\nContent-Type: text/plain\nContent-Disposition: attachment; ${named}\n\nx\n--b--\n`;
  const found = filename === undefined ? {} : { filename };
  expect(partsOf(text)).toEqual([{ content: 'x', subtype: 'plain', ...found }]);
});
