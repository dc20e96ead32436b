/**
 * Lets a plain Node process run the workspaces' TypeScript sources, without a build:
 *
 *     node --conditions=cumulet-source --import ./scripts/lib/typescript-sources.mjs program.mjs
 *
 * For tests and for programs that they start, so that these never run an outdated build. The
 * condition resolves workspace imports to sources. Worker threads inherit both options, and register
 * the hooks for themselves.
 */
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
