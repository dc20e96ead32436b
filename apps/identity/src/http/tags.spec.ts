import { describe, expect, it } from '@jest/globals';
import { LONGEST_TAG, tagFault, trimmedTags } from './tags.js';

describe('tagFault', () => {
  it.each(['blue', 'Blue', 'two words', 'ünï', '.', 'a'.repeat(LONGEST_TAG)])('takes %p', (tag) => {
    expect(tagFault(tag)).toBeUndefined();
  });

  it.each(['', ' ', 'a,b', ',', 'a/b', '/'])('refuses %p', (tag) => {
    expect(tagFault(tag)).toContain('neither a comma nor a slash');
  });

  it('refuses what is too long', () => {
    expect(tagFault('a'.repeat(LONGEST_TAG + 1))).toBe('must not be longer than 255 characters');
  });
});

it('keeps tags once and without the space around them', () => {
  expect(trimmedTags([' blue', 'blue ', 'Blue', 'two words'])).toEqual([
    'blue',
    'Blue',
    'two words',
  ]);
});
