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
const { TO_TEST, ensurePrograms } = await import('./system-programs.mjs');

/**
 * The quick tiers first. Those with real programs run one file at a time: each guest takes a
 * processor, and their tests have deadlines.
 */
const GROUPS = [
  ['--selectProjects', 'unit', 'db', 'api', '--maxWorkers=2'],
  ['--selectProjects', 'dataplane', '--runInBand'],
  ['--selectProjects', 'conformance', '--runInBand'],
];

await main(async () => {
  await ensureDependencies();
  await ensurePrograms(TO_TEST);
  await ensureBuild();
});

const extra = process.argv.slice(2);
const choosesProjects = extra.some((arg) => arg.startsWith('--selectProjects'));
const runs = [];
for (const group of choosesProjects ? [[]] : GROUPS) runs.push(await runJest([...group, ...extra]));
console.log(summaryOf(runs));
// A mistyped path must not count as a success.
const ranSome = runs.some((each) => each.passed + each.failed + each.skipped > 0);
process.exitCode = ranSome && runs.every((each) => each.exitCode === 0) ? 0 : 1;
