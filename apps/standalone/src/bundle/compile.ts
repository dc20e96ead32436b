/** Compiles the bundle: those of its functions that a start calls. */
import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { COMPILED, loadBundle } from './bundled.js';

// V8 drops the code of functions that have not run for a while.
setFlagsFromString('--no-flush-bytecode');
const { script, program } = loadBundle();
await program.rehearse();
// Compiled code is taken with the same flags alone.
setFlagsFromString('--flush-bytecode');
writeFileSync(COMPILED, script.createCachedData());
process.exit(0);
