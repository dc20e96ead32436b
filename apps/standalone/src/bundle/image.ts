/**
 * `node dist/bundle/image.js FOLDER`: makes what deploy/Dockerfile copies (docs/adr/0080).
 * - `app`: the programs bundled into one folder, a module each, with chunks of what several need or what
 *   is loaded on demand; and the packages beside them
 * - `postgres`: the packages with the standalone cloud's Postgres
 * - `packages.json`: all npm packages in either
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPrograms } from '@cumulet/embedded-postgres/postgres-programs';
import { build } from 'esbuild';
import { sharedSettings } from '@cumulet/host/host/config';
import { SERVICES } from '../services.js';
import { entryPoints, modules, WITH_FILES } from './options.js';
import { copyPackages, packagesOf } from './packages.js';
import { PROGRAMS, THREADS } from './programs.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const POSTGRES = 'embedded-postgres';
/** Packages of which files are served to browsers: pages of consoles and of documents. */
const SERVED = ['@novnc/novnc', '@xterm/xterm', 'swagger-ui-dist'];

const folder = resolve(process.argv[2] ?? 'image');
const app = join(folder, 'app');
await mkdir(app, { recursive: true });

const { metafile } = await build({
  ...modules,
  absWorkingDir: ROOT,
  target: 'node24',
  metafile: true,
  splitting: true,
  chunkNames: 'chunk-[hash]',
  outdir: app,
  entryPoints: entryPoints({ ...PROGRAMS, ...THREADS }),
});
// Without a type, Node parses each module twice.
await writeFile(join(app, 'package.json'), JSON.stringify({ type: 'module' }));

/** For the program `healthy`: where each program says whether it is ready. */
const probes = SERVICES.map(({ name, port, settings }) => [
  name,
  // At the root of S3's port every name is a bucket's.
  { portSetting: settings.port.env, port, path: name === 's3' ? '/-/readyz' : '/readyz' },
]);
const { env: portSetting, defaultText } = sharedSettings.probePort;
const ofHosts = ['host', 'attach'].map((name) => [
  name,
  { portSetting, port: Number(defaultText), path: '/readyz' },
]);
await writeFile(
  join(app, 'probes.json'),
  JSON.stringify(Object.fromEntries([...probes, ...ofHosts])),
);

// Completes what npm's packages lack, which a read-only image cannot: symbolic links.
await findPrograms({});

const beside = [...WITH_FILES.filter((name) => name !== POSTGRES), ...SERVED];
const packages = [
  ...(await packagesOf(Object.keys(metafile.inputs), ROOT)),
  ...(await copyPackages(beside, ROOT, app)),
  ...(await copyPackages([POSTGRES], ROOT, join(folder, 'postgres'))),
];
await writeFile(join(folder, 'packages.json'), JSON.stringify(packages));
process.exit(0);
