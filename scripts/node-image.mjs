/**
 * `npm run node-image`: builds the image that nodes of Kubernetes clusters boot (apps/clusters/node-image).
 * `npm run node-image -- --kubernetes 1.34.4` builds another version, `--fresh` with Debian's packages of today.
 */
import { requireNodeVersion } from './lib/node-version.mjs';

requireNodeVersion();

const { main } = await import('./lib/programs.mjs');
const { ensureDependencies } = await import('./lib/dependencies.mjs');

await main(async () => {
  await ensureDependencies();
  const { buildNodeImage } = await import('../apps/clusters/node-image/build/main.mjs');
  await buildNodeImage(process.argv.slice(2));
});
