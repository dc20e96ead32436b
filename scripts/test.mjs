/**
 * `npm test`: all tiers of tests (CONTRIBUTING.md, "Tests"), from a fresh clone. Arguments go to
 * Jest, so `npm test -- servers` runs the tests with that in their path, of every tier.
 */
import { requireNodeVersion } from './lib/node-version.mjs';

requireNodeVersion();

const { main } = await import('./lib/programs.mjs');
const { ensureDependencies } = await import('./lib/dependencies.mjs');
const { ensureBuild } = await import('./lib/build.mjs');
const { runJest, summaryOf } = await import('./lib/jest.mjs');
const { afterRepeating, filesToRepeat, unstableOf } = await import('./lib/second-run.mjs');
const { timesOf } = await import('./lib/test-times.mjs');
const { TO_TEST, ensurePrograms } = await import('./system-programs.mjs');

const TIERS = ['unit', 'db', 'api', 'dataplane', 'conformance'];

/**
 * All tiers in one run. Two workers more than the two cores that are expected: tests with real guests
 * and clients wait for these much of the time.
 */
const OPTIONS = ['--maxWorkers=4', '--testSequencer=./scripts/lib/long-tiers-first.mjs'];

await main(async () => {
  await ensureDependencies();
  await ensurePrograms(TO_TEST);
  await ensureBuild();
});

const extra = process.argv.slice(2);
const choosesProjects = extra.some((arg) => arg.startsWith('--selectProjects'));
const tiers = choosesProjects ? [] : ['--selectProjects', ...TIERS];
const first = await runJest([...tiers, ...OPTIONS, ...extra]);
if (first.files === undefined) process.exit(1);
let { files } = first;
const repeat = process.env.CI ? filesToRepeat(files) : [];
if (repeat.length > 0) {
  const paths = repeat.map(({ path }) => path);
  const again = await runJest([...tiers, '--maxWorkers=1', '--runTestsByPath', ...paths]);
  files = afterRepeating(files, again.files ?? []);
  console.log(unstableOf(again.files ?? []));
}
if (files.length > 0) console.log(timesOf(files));
console.log(summaryOf(files));
// A mistyped path must not count as a success, nor what failed outside of any file.
const passed = files.length > 0 && files.every(({ failed }) => failed === 0);
process.exitCode = passed && (first.exitCode === 0 || repeat.length > 0) ? 0 : 1;
