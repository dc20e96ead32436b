import { expect, it } from '@jest/globals';

import { summaryOf } from './jest.mjs';

it('the summary of a run adds up its files', () => {
  const files = [
    { passed: 10, failed: 1, skipped: 0 },
    { passed: 5, failed: 0, skipped: 2 },
  ];

  expect(summaryOf(files)).toBe('15 passed, 1 failed, 2 skipped');
});
