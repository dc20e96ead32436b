/**
 * The bundle, and its compiled code in a file beside it, which the build writes with it (`main.ts`).
 * V8 refuses compiled code of another version or with other flags, and compiles the bundle instead.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import type * as Program from './program.js';

const BUNDLE = fileURLToPath(new URL('../cumulet.cjs', import.meta.url));
export const COMPILED = fileURLToPath(new URL('../cumulet.compiled', import.meta.url));

const require = createRequire(BUNDLE);

/** Runs the bundle, which starts nothing by itself. */
export function loadBundle(compiled?: Buffer): { script: Script; program: typeof Program } {
  // esbuild writes ASCII alone.
  const text = readFileSync(BUNDLE, 'latin1');
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${text}\n})`,
    { filename: BUNDLE, cachedData: compiled },
  );
  const module = { exports: {} };
  const run = script.runInThisContext() as (...values: readonly unknown[]) => void;
  run(module.exports, require, module, BUNDLE, dirname(BUNDLE));
  return { script, program: module.exports as typeof Program };
}

/** The same as a module: Node names the sources in stack traces of modules, but not of scripts. */
export function requireBundle(): typeof Program {
  return require(BUNDLE) as typeof Program;
}
