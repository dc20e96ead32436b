/**
 * `npm run generate`: writes what is generated from the code (OpenAPI, routes and roles, states,
 * settings) under docs/. With `--check` it only compares, and fails on a difference. It runs the
 * sources directly, so that nothing needs to be built for it.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { requireNodeVersion } from './lib/node-version.mjs';

requireNodeVersion();
const { ensureDependencies } = await import('./lib/dependencies.mjs');
await ensureDependencies();

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const { status } = spawnSync(
  process.execPath,
  [
    '--conditions=cumulet-source',
    `--import=${path('lib/typescript-sources.mjs')}`,
    path('../apps/standalone/src/generate/main.ts'),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
