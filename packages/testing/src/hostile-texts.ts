/**
 * Texts with which a value could leave its place in another language: what ends a quotation, a line,
 * an option or a comment there, between characters of all kinds. The same in each run, so that what
 * fails once fails again.
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

/** Any of it, also nothing and half of a surrogate pair. */
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

/** Those that a request or Postgres can hold: Unicode without NUL. */
export const storableText: fc.Arbitrary<string> = hostileText.map((text) =>
  text.replaceAll(/[\0\p{Surrogate}]/gu, ''),
);

/** Judges each of many values; what fails is shown as small as it can be. */
export function forAllOf<Value>(values: fc.Arbitrary<Value>, judge: (value: Value) => void): void {
  fc.assert(fc.property(values, judge), { seed: SEED, numRuns: HOSTILE_RUNS });
}

/** As many values at once, for programs that judge them all together. */
export function manyOf<Value>(values: fc.Arbitrary<Value>, count = HOSTILE_RUNS): Value[] {
  return fc.sample(values, { seed: SEED, numRuns: count });
}
