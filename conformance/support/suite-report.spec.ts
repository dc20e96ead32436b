import { describe, expect, it } from '@jest/globals';
import { faultsOf, sectionOf, withSection, type SuiteRun } from './suite-report.js';

const RUN: SuiteRun = {
  suite: 'some',
  title: 'tests',
  date: '2026-11-22',
  results: new Map([
    ['a.One.test_x', 'success'],
    ['a.Two.test_y', 'fail'],
    ['a.Two.test_z', 'skip'],
    ['b.Other.test_x', 'fail'],
  ]),
  pinned: ['a.One.test_x', 'a.Two.test_y'],
  reasons: [
    ['a.Two', 'Two is not offered.'],
    ['a.Two.test_z', 'It needs a tape.'],
    ['a.One', 'One is not offered.'],
  ],
};

describe('the section of a suite', () => {
  it('gives the counts, and each test that did not pass with its reason', () => {
    expect(sectionOf(RUN).split('\n\n')).toEqual([
      '## some',
      'These are tests. On 2026-11-22, of 4 tests 1 passed, 2 failed and 1 were skipped.',
      '### Two is not offered.',
      '- `a.Two.test_y` (fail)',
      '### It needs a tape.',
      '- `a.Two.test_z` (skip)',
      '### Not explained yet.',
      '- `b.Other.test_x` (fail)',
    ]);
  });

  it('counts a test that did not run as one that failed', () => {
    const results = new Map([['a.One.test_x', 'did not run']]);
    expect(sectionOf({ ...RUN, results })).toContain('0 passed, 1 failed and 0 were skipped.');
  });

  it('takes the place of the section of before, in the order of names', () => {
    const document = '# Title\n\nText.\n\n## a\n\nA.\n\n## some\n\nBefore.\n\n## z\n\nZ.\n';
    expect(withSection(document, 'some', '## some\n\nNow.')).toBe(
      document.replace('Before.', 'Now.'),
    );
    expect(withSection(document, 'b', '## b\n\nB.')).toBe(
      document.replace('## some', '## b\n\nB.\n\n## some'),
    );
  });
});

it('the reasons of a suite are those of tests that do not pass, and of all but pinned ones', () => {
  const unexplained = ['a.Two.test_y', 'b.Other.test_x'];
  expect(faultsOf(RUN)).toEqual({ unexplained, outdated: ['a.One'] });
});
