/**
 * A Jest reporter that writes how many tests of each file passed, failed and were skipped, and how long
 * it took, to the file that CUMULET_TEST_COUNTS names, and prints nothing.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

export default class CountReporter {
  onRunComplete(_contexts, results) {
    writeFileSync(process.env.CUMULET_TEST_COUNTS, JSON.stringify(results.testResults.map(fileOf)));
  }
}

function fileOf({ testFilePath, displayName, testResults, testExecError, perfStats }) {
  const are = (...statuses) => testResults.filter(({ status }) => statuses.includes(status)).length;
  return {
    path: relative(process.cwd(), testFilePath),
    tier: displayName?.name ?? displayName ?? '',
    tests: testResults.length,
    passed: are('passed'),
    // A file that fails to load has no tests that could fail.
    failed: are('failed') + (testExecError === undefined ? 0 : 1),
    skipped: are('pending', 'todo', 'skipped', 'disabled'),
    seconds: (perfStats.runtime ?? 0) / 1000,
  };
}
