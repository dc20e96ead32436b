/**
 * How TypeScript becomes JavaScript, for the build and for programs that run from the sources: one
 * file at a time, without its types, which `npm run typecheck` checks.
 */
import { readFile } from 'node:fs/promises';
import { transform } from '@swc/core';

const OPTIONS = {
  swcrc: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
};

/**
 * @param path of a `.ts` file
 * @param sourceMaps `true` for a map of its own, `'inline'` for one in the code
 * @returns `{ code, map }`
 */
export async function compile(path, sourceMaps) {
  return transform(await readFile(path, 'utf8'), { ...OPTIONS, sourceMaps, filename: path });
}
