import { expect, it } from '@jest/globals';

import { summaryOf } from './jest.mjs';

it('the summary of several runs of Jest adds them up', () => {
  const runs = [
    { passed: 10, failed: 1, skipped: 0 },
    { passed: 5, failed: 0, skipped: 2 },
  ];

  expect(summaryOf(runs)).toBe('15 passed, 1 failed, 2 skipped');
});
