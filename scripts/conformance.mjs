/** `npm run conformance -- <suite>`: a foreign suite of tests as a whole (conformance/run-suite.ts). */
import { requireNodeVersion } from './lib/node-version.mjs';

requireNodeVersion();

const { ROOT, main, run } = await import('./lib/programs.mjs');
const { ensureDependencies } = await import('./lib/dependencies.mjs');
const { ensureBuild } = await import('./lib/build.mjs');
const { TO_TEST, ensurePrograms } = await import('./system-programs.mjs');

await main(async () => {
  await ensureDependencies();
  await ensurePrograms(TO_TEST);
  await ensureBuild();
});
const { exitCode } = await run(
  process.execPath,
  [
    `--import=${ROOT}/scripts/lib/typescript-sources.mjs`,
    `${ROOT}/conformance/run-suite.ts`,
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
process.exitCode = exitCode;
