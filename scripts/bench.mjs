/** `npm run bench`: what the cloud does beside a bare handler, in one run (bench/src/main.ts). */
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('bench/dist/main.js');
