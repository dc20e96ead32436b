/**
 * `npm run stability -- api`: a tier of tests five times beside two busy loops, and what failed in any
 * of the runs. A machine that others share is as slow as that, and a test must not mind. Further
 * arguments go to Jest: `npm run stability -- unit apps/images`. `STABILITY_RUNS` is how often.
 */
import { spawn } from 'node:child_process';
import { requireNodeVersion } from './lib/node-version.mjs';

requireNodeVersion();

const { StepError, main } = await import('./lib/programs.mjs');
const { ensureDependencies } = await import('./lib/dependencies.mjs');
const { ensureBuild } = await import('./lib/build.mjs');
const { runJest, summaryOf } = await import('./lib/jest.mjs');
const { TO_TEST, ensurePrograms } = await import('./system-programs.mjs');

const TIERS = ['unit', 'db', 'api', 'dataplane', 'conformance'];
const LOOPS = 2;
const RUNS = Number(process.env.STABILITY_RUNS ?? 5);

const [tier, ...extra] = process.argv.slice(2);

await main(async () => {
  if (!TIERS.includes(tier))
    throw new StepError(`Name a tier: ${TIERS.join(', ')}; not '${tier ?? ''}'`);
  await ensureDependencies();
  await ensurePrograms(TO_TEST);
  await ensureBuild();
});

const loops = Array.from({ length: LOOPS }, () =>
  spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
);
process.once('exit', () => loops.forEach((loop) => loop.kill('SIGKILL')));

const lines = [];
for (let at = 1; at <= RUNS; at += 1) {
  const start = performance.now();
  const { exitCode, files = [] } = await runJest([
    '--selectProjects',
    tier,
    '--maxWorkers=2',
    ...extra,
  ]);
  const minutes = ((performance.now() - start) / 60_000).toFixed(1);
  const failed = files.filter((file) => file.failed > 0).map(({ path }) => `    ${path}`);
  const end = files.length === 0 ? `, ended with ${exitCode}` : '';
  lines.push(`  run ${at}: ${summaryOf(files)}, ${minutes} min${end}`, ...failed);
  if (failed.length > 0 || exitCode !== 0) process.exitCode = 1;
}
console.log([`${tier} beside ${LOOPS} busy loops:`, ...lines].join('\n'));
process.exit();
