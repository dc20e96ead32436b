/**
 * `npm run chaos`: mixed operations on a cloud that is killed again and again (conformance/chaos), and
 * each moment of a stack's life to die at. `npm run chaos -- stacks moments` runs these parts alone.
 */
import { readdirSync } from 'node:fs';
import { requireNodeVersion } from './lib/node-version.mjs';

requireNodeVersion();

const { ROOT, StepError, main } = await import('./lib/programs.mjs');
const { ensureDependencies } = await import('./lib/dependencies.mjs');
const { ensureBuild } = await import('./lib/build.mjs');
const { runJest } = await import('./lib/jest.mjs');

const SUFFIX = '.spec.ts';

/** Files of tests, by the part's name: that of the file in conformance/chaos, or one of these. */
const PARTS = {
  ...Object.fromEntries(
    readdirSync(`${ROOT}/conformance/chaos`)
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => [name.slice(0, -SUFFIX.length), `/conformance/chaos/${name}$`]),
  ),
  moments: '/engine/(nested-moments|moments|interruptions)\\.db\\.spec\\.ts$',
};

const chosen = process.argv.slice(2);
await main(async () => {
  const unknown = chosen.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined)
    throw new StepError(`There is no part '${unknown}', only ${Object.keys(PARTS).join(', ')}`);
  await ensureDependencies();
  await ensureBuild();
});
process.env.CHAOS_MOMENTS ??= 'all';
const names = chosen.length > 0 ? chosen : Object.keys(PARTS);
const { exitCode } = await runJest([
  '--selectProjects',
  'chaos',
  'db',
  '--runInBand',
  '--',
  ...names.map((name) => PARTS[name]),
]);
process.exitCode = exitCode;
