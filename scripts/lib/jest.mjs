/** Runs Jest, and adds up the results. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT, run } from './programs.mjs';

/**
 * Most functions run too seldom in tests for optimising them to pay, so it begins at fifteen times V8's
 * threshold. From Node.js 22 on, V8 optimises in steps by itself, and has no such option.
 */
const RARELY_OPTIMISED = process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : [];

/**
 * Runs Jest, which prints as it always does.
 * @returns `{ exitCode, files }`, where files are `{ path, tier, tests, passed, failed, skipped,
 *   seconds }` each, and a file that could not run counts as one failure; undefined files where the
 *   run ended without a result
 */
export async function runJest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'cumulet-jest-'));
  const countsFile = join(folder, 'counts.json');
  try {
    const { exitCode } = await run(
      process.execPath,
      [
        '--conditions=cumulet-source',
        '--enable-source-maps',
        ...RARELY_OPTIMISED,
        `--import=${join(ROOT, 'packages/testing/src/jest/hooks.js')}`,
        join(ROOT, 'node_modules/jest/bin/jest.js'),
        '--reporters=default',
        `--reporters=${join(ROOT, 'scripts/lib/count-reporter.mjs')}`,
        '--passWithNoTests',
        ...args,
      ],
      { stdio: 'inherit', env: { CUMULET_TEST_COUNTS: countsFile } },
    );
    return { exitCode, files: readFiles(countsFile) ?? (exitCode === 0 ? [] : undefined) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run without tests reports nothing. */
function readFiles(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** `12 passed, 0 failed, 0 skipped` */
export function summaryOf(files) {
  const sum = (name) => files.reduce((total, each) => total + each[name], 0);
  return ['passed', 'failed', 'skipped'].map((name) => `${sum(name)} ${name}`).join(', ');
}
