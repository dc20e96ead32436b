/**
 * `npm start`: prepares a fresh or changed clone until the cloud can run, and then becomes the
 * cloud. If nothing has changed, that is all it does.
 */
import { requireNodeVersion } from './lib/node-version.mjs';

requireNodeVersion();

// Loaded only now, so that an old Node.js can say that it is too old.
const { main } = await import('./lib/programs.mjs');
const { ensureDependencies } = await import('./lib/dependencies.mjs');
const { ensureBuild } = await import('./lib/build.mjs');
const { TO_RUN, ensurePrograms } = await import('./system-programs.mjs');

await main(async () => {
  await ensureDependencies();
  await ensurePrograms(TO_RUN);
  await ensureBuild();
});

// In this process: it saves the memory of another, and signals arrive where they are handled.
await import('../apps/standalone/dist/cumulet.js');
