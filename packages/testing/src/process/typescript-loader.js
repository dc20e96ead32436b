/**
 * Node loads TypeScript as Jest does, with the same options: for the processes that tests start,
 * so that they run the sources and not what was built last.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import jestConfig from '../../../../jest.config.js';

const [, options] = jestConfig.projects[0].transform['^.+\\.ts$'];

export function resolve(specifier, context, next) {
  const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
  return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { ...options, filename });
  return { format: 'module', shortCircuit: true, source: code };
}
