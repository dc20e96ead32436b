/**
 * Lets a plain Node process run the workspaces' TypeScript sources, without a build:
 *
 *     node --conditions=cumulet-source --import ./scripts/lib/typescript-sources.mjs program.mjs
 *
 * For tests and for programs that they start, so that these never run an outdated build. The
 * condition resolves workspace imports to sources.
 */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// Node loads this module twice: as the program's import, and as the hooks that it registers.
if (isMainThread) register(import.meta.url);

/** As `tsc` compiles them (tsconfig.base.json). */
const OPTIONS = {
  swcrc: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

/** The sources import each other as the `.js` files that they compile to. */
export async function resolve(specifier, context, next) {
  const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
  return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { transform } = await import('@swc/core');
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { ...OPTIONS, filename });
  return { format: 'module', source: code, shortCircuit: true };
}
