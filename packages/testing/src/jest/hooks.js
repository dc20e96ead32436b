/**
 * `node --import` of the process that runs Jest, and so of its workers: they load TypeScript
 * sources, and get the `@jest/globals` of native-runner.js.
 */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import '../../../../scripts/lib/typescript-sources.mjs';

// Node loads this module twice: as the process's import, and as the hooks that it registers.
if (isMainThread) register(import.meta.url);

const GLOBALS = new URL('globals.js', import.meta.url).href;

export function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: GLOBALS, format: 'module', shortCircuit: true };
  return next(specifier, context);
}
