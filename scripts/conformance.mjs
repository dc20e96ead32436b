/**
 * `npm run conformance -- <suite>`: a foreign suite of tests as a whole (conformance/run-suite.ts), or
 * `acceptance`: what stock clients do with real guests, for minutes (conformance/acceptance), or
 * `cloud-init`: a Debian cloud image (conformance/cloud-init), or
 * `kubernetes`: a real cluster (conformance/kubernetes), or
 * `compose`: docker-compose.yml in containers (conformance/compose), and the acceptance tests against it, or
 * `scaled`: many processes behind the ingress, killed and replaced under load (conformance/scaled), or
 * `upgrade`: the release before, where this one has been (conformance/upgrade).
 */
import { requireNodeVersion } from './lib/node-version.mjs';

requireNodeVersion();

const { ROOT, StepError, main, run, step } = await import('./lib/programs.mjs');
const { ensureDependencies } = await import('./lib/dependencies.mjs');
const { ensureBuild } = await import('./lib/build.mjs');
const { runJest } = await import('./lib/jest.mjs');
const { TO_TEST, ensurePrograms } = await import('./system-programs.mjs');

await main(async () => {
  await ensureDependencies();
  await ensurePrograms(TO_TEST);
  await ensureBuild();
});

const foreignSuite = (args) =>
  run(
    process.execPath,
    [
      `--import=${ROOT}/scripts/lib/typescript-sources.mjs`,
      `${ROOT}/conformance/run-suite.ts`,
      ...args,
    ],
    { stdio: 'inherit' },
  );
const jestProject = (project, args) =>
  runJest(['--selectProjects', project, '--runInBand', '--', ...args]);

/** Those of docker-compose.yml, and before them what they build on, where no registry is reached. */
async function buildImages() {
  const standIns = [`${ROOT}/scripts/stand-in-images.mjs`];
  const { exitCode: failed } = await run(process.execPath, standIns, { stdio: 'inherit' });
  if (failed !== 0) throw new StepError('The images that others build on are not there');
  const build = ['--file', `${ROOT}/docker-compose.yml`, 'build', '--quiet'];
  await step('Building the images', () => run('docker-compose', build));
}

/** Projects of jest.config.js. */
const OWN_SUITES = ['acceptance', 'cloud-init', 'compose', 'kubernetes', 'scaled', 'upgrade'];

const [suite, ...others] = process.argv.slice(2);
if (suite === 'compose') {
  await main(buildImages);
  process.env.CONFORMANCE_CLOUD = 'compose';
}
if (suite === 'upgrade' || suite === 'scaled') {
  const { releaseBefore } = await import('./lib/release-before.mjs');
  await main(async () => {
    process.env.CONFORMANCE_RELEASE_BEFORE = await releaseBefore();
  });
}
const { exitCode } = OWN_SUITES.includes(suite)
  ? await jestProject(suite, others)
  : await foreignSuite(process.argv.slice(2));
process.exitCode = exitCode;
