/** For developers' programs that are part of the build: updates the build and runs one of them. */
import { requireNodeVersion } from './node-version.mjs';

/** @param path of the program, from the repository's root */
export async function runBuilt(path) {
  requireNodeVersion();
  // Loaded only now, so that an old Node.js can say that it is too old.
  const { main } = await import('./programs.mjs');
  const { ensureDependencies } = await import('./dependencies.mjs');
  const { ensureBuild } = await import('./build.mjs');
  await main(async () => {
    await ensureDependencies();
    await ensureBuild();
  });
  await import(`../../${path}`);
}
