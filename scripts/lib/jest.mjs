/** Runs Jest once per group of tiers, and adds up the results. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT, run } from './programs.mjs';

/**
 * Runs Jest, which prints as it always does.
 *
 * @returns `{ exitCode, passed, failed, skipped, files }`, where files are as test-times.mjs takes
 *   them; a test file that could not run, or a run that ended without a result, counts as one failure
 */
export async function runJest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'cumulet-jest-'));
  const countsFile = join(folder, 'counts.json');
  try {
    const { exitCode } = await run(
      process.execPath,
      [
        ...['--conditions=cumulet-source', '--enable-source-maps'],
        `--import=${join(ROOT, 'packages/testing/src/jest/hooks.js')}`,
        join(ROOT, 'node_modules/jest/bin/jest.js'),
        ...['--reporters=default', `--reporters=${join(ROOT, 'scripts/lib/count-reporter.mjs')}`],
        ...['--passWithNoTests', ...args],
      ],
      { stdio: 'inherit', env: { CUMULET_TEST_COUNTS: countsFile } },
    );
    return { exitCode, ...readCounts(countsFile, exitCode) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run without tests reports nothing. */
function readCounts(path, exitCode) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { passed: 0, failed: exitCode === 0 ? 0 : 1, skipped: 0, files: [] };
  }
}

/** `12 passed, 0 failed, 0 skipped` */
export function summaryOf(runs) {
  const sum = (name) => runs.reduce((total, each) => total + each[name], 0);
  return ['passed', 'failed', 'skipped'].map((name) => `${sum(name)} ${name}`).join(', ');
}
