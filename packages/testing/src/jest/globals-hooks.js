/** Resolves `@jest/globals`; registered by hooks.js. */
const GLOBALS = new URL('globals.js', import.meta.url).href;

export function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: GLOBALS, format: 'module', shortCircuit: true };
  return next(specifier, context);
}
