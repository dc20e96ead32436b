/** `npm run bench`: the cloud compared with a bare handler, in one run (bench/src/main.ts). */
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('bench/dist/main.js');
