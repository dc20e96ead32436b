/** `npm run build` of a workspace, in its folder: the modules of `src` as JavaScript in `dist`. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

import { compile } from './lib/compile.mjs';

const NOT_BUILT = /\.(?:spec|fixture)\.ts$|\.d\.ts$/;

await rm('dist', { recursive: true, force: true });
const files = await readdir('src', { recursive: true });
await Promise.all(files.filter((file) => file.endsWith('.ts') && !NOT_BUILT.test(file)).map(build));

async function build(file) {
  const source = join('src', file);
  const target = join('dist', file.replace(/\.ts$/, '.js'));
  const { code, map } = await compile(await readFile(source, 'utf8'), source, true);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`);
  await writeFile(`${target}.map`, withSource(map, relative(dirname(target), source)));
}

function withSource(map, source) {
  return JSON.stringify({ ...JSON.parse(map), sources: [source] });
}
