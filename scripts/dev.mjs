/**
 * `npm run dev`: the standalone cloud from the sources, without a build, started again at each save
 * (`lib/dev-cloud.mjs`). Its data folder is that of `npm start`.
 */
import { requireNodeVersion } from './lib/node-version.mjs';

requireNodeVersion();

// Loaded only now, so that an old Node.js can say that it is too old.
const { main } = await import('./lib/programs.mjs');
const { ensureDependencies } = await import('./lib/dependencies.mjs');
const { TO_RUN, ensurePrograms } = await import('./system-programs.mjs');

await main(async () => {
  await ensureDependencies();
  await ensurePrograms(TO_RUN);
});

const { DevCloud, launchFromSources } = await import('./lib/dev-cloud.mjs');
const { watchSources } = await import('./lib/watch-sources.mjs');

const cloud = new DevCloud(launchFromSources, (line) => console.log(line));
const unwatch = watchSources((path) => cloud.saved(path));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
  process.on(signal, () => {
    unwatch();
    void cloud.end(signal).then((exitCode) => process.exit(exitCode));
  });
}
cloud.begin();
