/** `npm run cumulet -- ARGUMENT...`: the command `cumulet`, built first if needed. */
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('apps/standalone/bin/cumulet.js');
