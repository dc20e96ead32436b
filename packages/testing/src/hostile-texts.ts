/**
 * Texts with which a value could escape from its place in another language: ends of quotations, lines,
 * options and comments, between characters of all kinds. The same in each run, so that a failure
 * repeats.
 */
import fc from 'fast-check';

export const HOSTILE_RUNS = 10_000;
const SEED = 20_260_731;

const PIECES = {
  quotations: ['"', "'", '`', '\\', "\\'", '\\"', "''", '""', '"""'],
  lines: ['\n', '\r', '\r\n', '\u0085', '\u2028', '\u2029', '\\n', '\t', ' ', '\u00a0', '\ufeff'],
  comments: ['#', ' #', '--', '/*', '*/', '//', '---', '...', ';', '%YAML', '\u001a', '\u007f'],
  lists: ['-', '-e', '=', ',', ',,', ':', ': ', '- ', '? ', '|', '>', '&a', '*a', '!!x', '@', '~'],
  substitutions: [
    '$',
    '$(id)',
    '${x}',
    '$$',
    '`id`',
    '%s',
    '%n',
    '%00',
    '%0a',
    '{{x}}',
    '$1',
    '$&',
  ],
  patterns: ['%', '_', '.*', '^', '[', ']', '(', ')', '{2}', '+', '?', '\\1', '(?i)', '***:'],
  markup: ['<', '>', '&', '&amp;', '&#10;', '&#x0;', '<!--', '-->', ']]>', '<![CDATA[', '<a b="'],
  code: ['&&', '||', '; next;', 'drop;', 'ip4.dst == 0/0', 'acl x', ',id=evil', '}, {', '\nEOF\n'],
  otherTypes: ['yes', 'no', 'null', '012', '1e3', '0x1', '.inf', 'true', '2026-01-01', '<<', '!id'],
  encodings: [
    'ä',
    '日',
    '😀',
    '\ufffe',
    '\uffff',
    '\u0001',
    '\u001b[2J',
    '\u0080',
    '\u202e',
    '\ud800',
  ],
  ends: ['\0'],
} as const;

/** Also empty, and half of a surrogate pair. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...Object.values(PIECES).flat()) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 8 }) },
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));

/** Texts that a request and Postgres accept: Unicode without NUL. */
export const storableText: fc.Arbitrary<string> = hostileText.map((text) =>
  text.replaceAll(/[\0\p{Surrogate}]/gu, ''),
);

/** Checks many values, and shows the smallest that fails. */
export function forAllOf<Value>(values: fc.Arbitrary<Value>, judge: (value: Value) => void): void {
  fc.assert(fc.property(values, judge), { seed: SEED, numRuns: HOSTILE_RUNS });
}

/** Many values at once, for programs that check them together. */
export function manyOf<Value>(values: fc.Arbitrary<Value>, count = HOSTILE_RUNS): Value[] {
  return fc.sample(values, { seed: SEED, numRuns: count });
}
