/** `npm run cumulet -- ARGUMENT...`: the command `cumulet`, built where that is still to be done. */
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('apps/standalone/bin/cumulet.js');
