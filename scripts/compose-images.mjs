/** The images of docker-compose.yml, built from this checkout. */
import { ROOT, StepError, run, step } from './lib/programs.mjs';

/** Makes what they build on first, where no registry is reached. */
export async function buildImages() {
  const standIns = [`${ROOT}/scripts/stand-in-images.mjs`];
  const { exitCode } = await run(process.execPath, standIns, { stdio: 'inherit' });
  if (exitCode !== 0) throw new StepError('The images that others build on are not there');
  const file = ['--file', `${ROOT}/docker-compose.yml`];
  await step('Building the images', () => run('docker-compose', [...file, 'build', '--quiet']));
}
