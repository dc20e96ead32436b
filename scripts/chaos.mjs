/** `npm run chaos`: mixed operations on a cloud that is killed again and again (conformance/chaos). */
import { requireNodeVersion } from './lib/node-version.mjs';

requireNodeVersion();

const { main } = await import('./lib/programs.mjs');
const { ensureDependencies } = await import('./lib/dependencies.mjs');
const { ensureBuild } = await import('./lib/build.mjs');
const { runJest } = await import('./lib/jest.mjs');

await main(async () => {
  await ensureDependencies();
  await ensureBuild();
});
const { exitCode } = await runJest(['--selectProjects', 'chaos', '--runInBand']);
process.exitCode = exitCode;
