import { expect, it } from '@jest/globals';
import { forAllOf, hostileText } from '@cumulet/testing/hostile-texts';
import fc from 'fast-check';
import { deviceOption, listOption, optionList, textOption } from './command-line.js';

/** Reads a list as `util/qemu-option.c` does: a comma ends a value, two of them are one. */
function read(list: string): [name: string, value: string][] {
  const options: [string, string][] = [];
  let rest = list;
  while (rest !== '') {
    const [, name = '', at = ''] = /^([^=,]+)(=?)/.exec(rest) ?? [];
    const isNamed = at === '=';
    let value = '';
    let index = isNamed ? name.length + 1 : 0;
    while (index < rest.length) {
      if (rest[index] === ',') {
        if (rest[index + 1] !== ',') break;
        index += 1;
      }
      value += rest[index] ?? '';
      index += 1;
    }
    options.push([isNamed ? name : '', value]);
    rest = rest.slice(index + 1);
  }
  return options;
}

const value = hostileText.filter((text) => !text.includes('\0'));

it('a value stays the value of its option, whatever it contains', () => {
  forAllOf(fc.tuple(value, value), ([one, other]) => {
    const [, list = ''] = listOption('-device', 'VGA', { id: one, path: [other, other], on: true });
    expect(read(list)).toEqual([
      ['', 'VGA'],
      ['id', one],
      ['path', other],
      ['path', other],
      ['on', 'on'],
    ]);
  });
});

it('a first value is read as one, or is refused', () => {
  forAllOf(hostileText, (text) => {
    let list: string;
    try {
      list = optionList(`x${text}`, { id: 'a' });
    } catch (error) {
      expect(error).toMatchObject({ kind: 'bug' });
      expect(text).toMatch(/[=\0]/);
      return;
    }
    expect(read(list)).toEqual([
      ['', `x${text}`],
      ['id', 'a'],
    ]);
  });
});

it('a text is one argument, as it is', () => {
  forAllOf(value, (text) => expect(textOption('-append', text)).toEqual(['-append', text]));
});

it.each([
  ['the name of an option', () => deviceOption({ driver: 'VGA', 'id=a,b': 'c' })],
  ['a NUL', () => textOption('-append', 'quiet\0')],
])('%s that would be read as something else is refused', (_, write) => {
  expect(write).toThrow(expect.objectContaining({ kind: 'bug' }));
});
