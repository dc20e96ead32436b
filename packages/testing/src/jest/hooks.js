/**
 * `node --import` of the process that runs Jest, and so of its workers: they load TypeScript
 * sources, and get the `@jest/globals` of native-runner.js.
 */
import { register } from 'node:module';
import '../../../../scripts/lib/typescript-sources.mjs';

register('./globals-hooks.js', import.meta.url);
