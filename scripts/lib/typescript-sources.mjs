/**
 * Lets a plain Node process run the workspaces' TypeScript sources as Jest does, without a build:
 *
 *     node --conditions=cumulet-source --import ./scripts/lib/typescript-sources.mjs program.mjs
 *
 * For programs that tests start, so that these never run an outdated build.
 */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// Node loads this module twice: as the program's import, and as the hooks that it registers.
if (isMainThread) register(import.meta.url);

/** The sources import each other as the `.js` files that they compile to. */
export async function resolve(specifier, context, next) {
  const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
  return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { transform } = await import('@swc/core');
  const { default: jest } = await import('../../jest.config.js');
  const [, options] = Object.values(jest.projects[0].transform)[0];
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { ...options, filename });
  return { format: 'module', source: code, shortCircuit: true };
}
