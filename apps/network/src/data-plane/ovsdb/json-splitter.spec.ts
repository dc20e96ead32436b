import { describe, expect, it } from '@jest/globals';
import { JsonSplitter } from './json-splitter.js';

describe('JsonSplitter', () => {
  const texts = ['{"a":[{}]}', '[1,"]}"]', '{"b":"\\"}\\\\"}', '{"c":"{["}'];

  it('ends a text where its brackets balance', () => {
    expect(new JsonSplitter().push(texts.join(''))).toEqual(texts);
  });

  it('joins texts that arrive one character at a time', () => {
    const splitter = new JsonSplitter();
    expect(Array.from(texts.join('\n')).flatMap((piece) => splitter.push(piece))).toEqual([
      texts[0],
      ...texts.slice(1).map((text) => `\n${text}`),
    ]);
  });

  it('keeps an incomplete text', () => {
    const splitter = new JsonSplitter();
    expect(splitter.push('{"a":"}')).toEqual([]);
    expect(splitter.push('"}{')).toEqual(['{"a":"}"}']);
  });
});
