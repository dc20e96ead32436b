import { expect, it } from '@jest/globals';
import { forAllOf, storableText } from '@cumulet/testing/hostile-texts';
import fc from 'fast-check';
import { linesOf } from './guest-metadata.js';

it('a list has a line for each name, whatever it contains', () => {
  forAllOf(fc.array(storableText, { minLength: 1, maxLength: 4 }), (names) => {
    expect(linesOf(names).split(/[\n\r\v\f\u0085\u2028\u2029]/)).toHaveLength(names.length);
  });
});
