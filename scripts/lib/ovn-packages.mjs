/**
 * OVN and Open vSwitch, unpacked into a folder rather than installed: the packages would start a
 * switch for the machine itself. They run with the libraries unpacked beside them, so that they may
 * be another release's. Debian 12 has Open vSwitch 3.1.0, whose connection tracking aborts in
 * userspace under NAT; there, Debian 13's are taken where its mirror has them.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { aptGet, updateStaleLists } from './apt.mjs';
import { run } from './programs.mjs';

const FOLDER = '/var/lib/cumulet';
/** Where apps/network looks for them first. */
const TARGET = join(FOLDER, 'ovn');
/** In it, the packages' fields, in the form of dpkg's file of statuses. */
const LIST = 'packages';
const PROGRAMS = [
  'openvswitch-switch',
  'openvswitch-common',
  'ovn-central',
  'ovn-host',
  'ovn-common',
  'ethtool',
];
/** The first of 3.1 that does not abort. */
const WANTED = '3.1.3';
const NEXT_RELEASE = 'trixie';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

export function isOvnUnpacked() {
  return existsSync(TARGET);
}

/** @returns `{ exitCode, output }` of the step that failed, or of the last */
export async function unpackOvn() {
  await updateStaleLists();
  await mkdir(FOLDER, { recursive: true, mode: 0o755 });
  const work = await mkdtemp(join(FOLDER, 'unpacking-'));
  try {
    const options = await sourcesOf(work);
    const names = [...PROGRAMS, ...(await librariesOf(PROGRAMS, options))];
    const packages = join(work, 'packages');
    await mkdir(packages);
    const fetched = await aptGet([...options, ...AS_ROOT, 'download', ...names], { cwd: packages });
    if (fetched.exitCode !== 0) return fetched;
    const root = join(work, 'root');
    const fields = [];
    for (const name of await readdir(packages)) {
      const unpacked = await run('dpkg-deb', ['-x', join(packages, name), root]);
      if (unpacked.exitCode !== 0) return unpacked;
      fields.push((await run('dpkg-deb', ['--field', join(packages, name)])).output);
    }
    await writeFile(join(root, LIST), fields.join('\n'));
    await run('chmod', ['755', root]);
    await rm(TARGET, { recursive: true, force: true });
    await rename(root, TARGET);
    return { exitCode: 0, output: '' };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The folder is root's, whom apt would not download as. */
const AS_ROOT = ['-o', 'APT::Sandbox::User=root'];

/** @returns apt's options for where to take them from: none for the machine's own release */
async function sourcesOf(work) {
  const { output } = await run('apt-cache', ['policy', 'openvswitch-switch']);
  const candidate = /Candidate: (\d\S*)/.exec(output)?.[1] ?? '0';
  const isGood = await run('dpkg', ['--compare-versions', candidate, 'ge', WANTED]);
  if (isGood.exitCode === 0) return [];
  const targets = ['indextargets', '--format', '$(ORIGIN) $(REPO_URI)'];
  const { output: sources } = await run('apt-get', [...targets, 'Created-By: Packages']);
  const mirror = /^Debian (\S+\/debian\/)$/m.exec(sources)?.[1];
  if (mirror === undefined) return [];
  const list = join(work, 'sources.list');
  await writeFile(list, `deb [signed-by=${KEYRING}] ${mirror} ${NEXT_RELEASE} main\n`);
  for (const folder of ['lists/partial', 'cache/archives/partial'])
    await mkdir(join(work, folder), { recursive: true });
  const options = Object.entries({
    'Dir::Etc::sourcelist': list,
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State::lists': join(work, 'lists'),
    'Dir::Cache': join(work, 'cache'),
    'Acquire::Languages': 'none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const updated = await aptGet([...options, ...AS_ROOT, 'update']);
  const { output: known } = await run('apt-cache', [...options, 'policy', 'ovn-central']);
  return updated.exitCode === 0 && /Candidate: \d/.test(known) ? options : [];
}

const ONLY_DEPENDENCIES = [
  'recommends',
  'suggests',
  'conflicts',
  'breaks',
  'replaces',
  'enhances',
].map((kind) => `--no-${kind}`);

/** The libraries that the packages need, and those that these need. */
async function librariesOf(packages, options) {
  const depends = [...options, 'depends', ...ONLY_DEPENDENCIES];
  const direct = await run('apt-cache', [...depends, ...packages]);
  const libraries = namesIn(direct.output, /^ *\|?Depends: (\S+)$/gm);
  const all = await run('apt-cache', [...depends, '--recurse', ...libraries]);
  return namesIn(all.output, /^(\S+)$/gm);
}

function namesIn(output, pattern) {
  const names = [...output.matchAll(pattern)].map(([, name]) => name);
  return [...new Set(names)].filter((name) => /^(lib|zlib)[a-z0-9.+-]+$/.test(name));
}
