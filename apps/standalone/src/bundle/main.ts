/**
 * The last step of this workspace's build: bundles dist/main.js and the thousands of modules that
 * it loads into one file, dist/cumulet.cjs, and compiles that. Node finds and reads one file in a
 * fraction of the time, and `npm start` is up in half of it (docs/adr/0015). What threads run are files
 * beside it, under the names by which the code looks for them.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { entryPoints, modules, NEVER_LOADED, shared, WITH_FILES } from './options.js';
import { THREADS } from './programs.js';

const here = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Large packages that most clouds never load: a script cannot be split. */
const ON_DEMAND = ['@aws-sdk/*', '@opentelemetry/*'];
const external = [...WITH_FILES, ...NEVER_LOADED, ...ON_DEMAND];

await build({ ...modules, external, outdir: here('.'), entryPoints: entryPoints(THREADS) });

// A script, as Node takes compiled code for scripts alone.
await build({
  ...shared,
  external,
  outdir: here('.'),
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
