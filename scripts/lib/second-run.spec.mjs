import { expect, it } from '@jest/globals';

import { afterRepeating, filesToRepeat, unstableOf } from './second-run.mjs';

const file = (path, passed, failed) => ({
  path,
  tier: 'unit',
  tests: passed + failed,
  passed,
  failed,
  skipped: 0,
  seconds: 1,
});

it('only the files in which tests failed are run again', () => {
  const failed = file('b.spec.ts', 2, 1);

  expect(filesToRepeat([file('a.spec.ts', 3, 0), failed])).toEqual([failed]);
});

it('no file is run again where more than five failed', () => {
  const files = Array.from({ length: 6 }, (_, n) => file(`f${n}.spec.ts`, 0, 1));

  expect(filesToRepeat(files)).toEqual([]);
  expect(filesToRepeat(files.slice(1))).toHaveLength(5);
});

it('a file that passes when it is run again counts as passed, and is named as unstable', () => {
  const first = [file('a.spec.ts', 3, 0), file('b.spec.ts', 2, 1), file('c.spec.ts', 0, 1)];
  const again = [file('b.spec.ts', 3, 0), file('c.spec.ts', 0, 1)];

  expect(afterRepeating(first, again)).toEqual([first[0], ...again]);
  expect(unstableOf(again)).toBe('Unstable, passed only when run again alone:\n  unit  b.spec.ts');
});

it('a file that did not run again stays failed', () => {
  const first = [file('b.spec.ts', 2, 1)];

  expect(afterRepeating(first, [])).toEqual(first);
  expect(unstableOf([])).toBe('');
});
