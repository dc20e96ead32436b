/** The cloud from its bundle, as `npm start` runs it. */
import { readFileSync } from 'node:fs';
import { COMPILED, loadBundle, requireBundle } from './bundle/bundled.js';

const program = process.sourceMapsEnabled
  ? requireBundle()
  : loadBundle(readFileSync(COMPILED)).program;

await program.start();
