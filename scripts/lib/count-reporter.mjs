/**
 * A Jest reporter that writes how many tests passed, failed and were skipped, and how long each file
 * took, to the file that CUMULET_TEST_COUNTS names, and prints nothing.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

export default class CountReporter {
  onRunComplete(_contexts, results) {
    const counts = {
      passed: results.numPassedTests,
      // A file that fails to load has no tests that could fail.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
      files: results.testResults.map(fileOf),
    };
    writeFileSync(process.env.CUMULET_TEST_COUNTS, JSON.stringify(counts));
  }
}

function fileOf({ testFilePath, displayName, testResults, perfStats }) {
  return {
    path: relative(process.cwd(), testFilePath),
    tier: displayName?.name ?? displayName ?? '',
    tests: testResults.length,
    seconds: (perfStats.runtime ?? 0) / 1000,
  };
}
