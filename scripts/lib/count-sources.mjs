/**
 * `node scripts/lib/count-sources.mjs`: how many files and lines of source each app and package has,
 * without specs, fixtures, migrations and declarations.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const SOURCE = /\.(?:ts|tsx|mjs|js|mts)$/;
const OTHER =
  /\.(?:spec|fixture)\.|\.d\.m?ts$|(?:^|\/)(?:fixtures?|migrations|dist)\/|^apps\/(?:console|volumes)\//;

const files = execFileSync('git', ['ls-files', 'apps', 'packages'], { encoding: 'utf8' })
  .split('\n')
  .filter((name) => SOURCE.test(name) && !OTHER.test(name));

const counts = new Map([['all', { files: 0, lines: 0 }]]);
for (const name of files) {
  const lines = readFileSync(name, 'utf8').split('\n').length - 1;
  for (const group of [name.split('/').slice(0, 2).join('/'), 'all']) {
    const count = counts.get(group) ?? { files: 0, lines: 0 };
    counts.set(group, { files: count.files + 1, lines: count.lines + lines });
  }
}
console.table(Object.fromEntries(counts));
