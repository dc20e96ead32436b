/**
 * `npm run node-image`: builds the image that nodes of Kubernetes clusters boot (apps/clusters/node-image).
 * `npm run node-image -- --kubernetes 1.34.4` builds another version, `--fresh` with Debian's packages of today.
 */
import { requireNodeVersion } from './lib/node-version.mjs';

requireNodeVersion();

const { main } = await import('./lib/programs.mjs');
const { buildNodeImage } = await import('../apps/clusters/node-image/build/main.mjs');

await main(() => buildNodeImage(process.argv.slice(2)));
