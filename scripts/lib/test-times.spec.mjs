import { expect, it } from '@jest/globals';

import { timesOf } from './test-times.mjs';

const file = (path, tier, tests, seconds) => ({ path, tier, tests, seconds });

it('the times of a test run are told by tier, and of the files that took longest', () => {
  const files = [
    file('a.spec.ts', 'unit', 3, 0.25),
    file('b.spec.ts', 'unit', 4, 0.5),
    file('c.dp.spec.ts', 'dataplane', 2, 12),
  ];

  expect(timesOf(files)).toBe(
    [
      'Tiers:',
      '  tier            files    tests  seconds',
      '  dataplane           1        2     12.0',
      '  unit                2        7      0.8',
      'Files that took longest:',
      '    12.0 s  dataplane  c.dp.spec.ts',
      '     0.5 s  unit       b.spec.ts',
      '     0.3 s  unit       a.spec.ts',
    ].join('\n'),
  );
});

it('no more than ten files are named', () => {
  const files = Array.from({ length: 12 }, (_, n) => file(`f${n}.spec.ts`, 'unit', 1, n));

  const named = timesOf(files).match(/f\d+/g);
  expect(named).toHaveLength(10);
  expect(named).not.toContain('f1');
});
