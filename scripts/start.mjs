/**
 * `npm start`: brings a fresh clone, or one that has changed, to the point where the cloud can run,
 * and then becomes the cloud. Where nothing has changed, that is all it does.
 */
import { requireNodeVersion } from './lib/node-version.mjs';

requireNodeVersion();

// Loaded from here on, so that an old Node.js gets to say that it is too old.
const { main } = await import('./lib/programs.mjs');
const { ensureDependencies } = await import('./lib/dependencies.mjs');
const { ensureBuild } = await import('./lib/build.mjs');
const { TO_RUN, ensurePrograms } = await import('./system-programs.mjs');

await main(async () => {
  await ensureDependencies();
  await ensurePrograms(TO_RUN);
  await ensureBuild();
});

// In this process: one less to keep in memory, and signals arrive where they are handled.
await import('../apps/standalone/dist/cumulet.js');
