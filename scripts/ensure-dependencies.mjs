/** Installs the npm packages unless they are there: the first step of `.ci/run`. */
import { requireNodeVersion } from './lib/node-version.mjs';

requireNodeVersion();

const { main } = await import('./lib/programs.mjs');
const { ensureDependencies } = await import('./lib/dependencies.mjs');

await main(ensureDependencies);
