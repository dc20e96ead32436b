/** How Node loads the workspaces' TypeScript sources: registered by `typescript-sources.mjs`. */
import { fileURLToPath } from 'node:url';

/** The sources import each other as the `.js` files that they compile to. */
export async function resolve(specifier, context, next) {
  const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
  return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { compile } = await import('./compile.mjs');
  const { code } = await compile(fileURLToPath(url), 'inline');
  return { format: 'module', source: code, shortCircuit: true };
}
