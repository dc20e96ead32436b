/**
 * A Jest reporter that writes how many tests passed, failed and were skipped to the file that
 * CUMULET_TEST_COUNTS names, and prints nothing.
 */
import { writeFileSync } from 'node:fs';

export default class CountReporter {
  onRunComplete(_contexts, results) {
    const counts = {
      passed: results.numPassedTests,
      // A file that fails to load has no tests that could fail.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    writeFileSync(process.env.CUMULET_TEST_COUNTS, JSON.stringify(counts));
  }
}
