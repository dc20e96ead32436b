/**
 * `npm run generate`: writes what is generated from the code (OpenAPI, routes and roles, states,
 * settings) under docs/. With `--check` it only compares, and fails where something differs.
 */
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('apps/standalone/dist/generate/main.js');
