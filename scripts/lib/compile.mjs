/**
 * How TypeScript becomes JavaScript, for the build and for programs that run from the sources: one
 * file at a time, without its types, which `npm run typecheck` checks.
 */

export const OPTIONS = {
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
 * @param text of a `.ts` file
 * @param filename its path
 * @param sourceMaps `true` for a map of its own, `'inline'` for one in the code
 * @returns `{ code, map }`
 */
export async function compile(text, filename, sourceMaps) {
  const { transform } = await import('@swc/core');
  return transform(text, { ...OPTIONS, sourceMaps, filename });
}
