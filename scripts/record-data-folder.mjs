/**
 * Records a data folder as this build writes it, for the tests of later builds:
 *
 *     PG_DUMP=/usr/lib/postgresql/18/bin/pg_dump node scripts/record-data-folder.mjs [CHECKOUT]
 *
 * Runs the cloud of a checkout (this one, unless another is named) in a new folder, makes something
 * of everything (lib/recorded/things.mjs), stops it, and packs databases as SQL, files, and what
 * clients know into apps/standalone/src/recorded-folders/<day>-<commit>.tgz. Needs QEMU, and a
 * pg_dump that is no older than the cloud's Postgres.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ROOT, main, run, StepError } from './lib/programs.mjs';
import { CloudClient } from './lib/recorded/client.mjs';
import { makeSomeOfEverything } from './lib/recorded/things.mjs';

/** What a folder has once its cloud is stopped, besides the database. */
const FILES = ['secrets.json', 'clouds.yaml', 'images', 'compute', 's3'];
const SERVICES = [
  'identity',
  'images',
  'network',
  'compute',
  'secrets',
  'loadbalancer',
  'orchestration',
  'clusters',
  's3',
];
const UP = /Cumulet is up at (\S+)/;

await main(async () => {
  const checkout = resolve(process.argv[2] ?? ROOT);
  const work = await mkdtemp(join(tmpdir(), 'cumulet-recording-'));
  const folder = join(work, 'folder');
  try {
    const cloud = await startCloud(checkout, folder);
    try {
      const secrets = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'));
      const things = await makeSomeOfEverything(new CloudClient(cloud.url), secrets);
      await writeFile(join(work, 'things.json'), `${JSON.stringify(things, null, 2)}\n`);
      await dumpDatabases(folder, work);
    } finally {
      await cloud.stop();
      await endGuests(folder);
    }
    console.log(await pack(checkout, work));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
});

async function startCloud(checkout, folder) {
  const env = {
    ...process.env,
    CUMULET_DATA_DIR: folder,
    CUMULET_PORT: '0',
    // The catalog names it, so it is chosen before the start.
    S3_PORT: String(await freePort()),
    CUMULET_SEED_MICRO: 'false',
    // Rows are recorded, and not this machine's networks; guests are, as their disks are files.
    NETWORK_DATA_PLANE: 'simulated',
    LOADBALANCER_DATA_PLANE: 'simulated',
    CLUSTERS_ENGINE: 'simulated',
    // Otherwise no former passwords are kept.
    IDENTITY_PASSWORD_HISTORY: '3',
  };
  const child = spawn(process.execPath, [join(checkout, 'scripts/start.mjs')], {
    cwd: checkout,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text;
    if (output.includes('Ctrl-C stops the cloud')) break;
  }
  const [, url] = UP.exec(output) ?? [];
  if (url === undefined) throw new StepError(`The cloud of ${checkout} did not start`);
  child.stdout.resume();
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
  };
  return { url, stop };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** As SQL that any client can run: INSERTs, and none of psql's own commands. */
async function dumpDatabases(folder, into) {
  const read = (name) => readFile(join(folder, 'postgres', name), 'utf8');
  const [port, password] = await Promise.all([read('port'), read('password')]);
  for (const service of SERVICES) {
    const to = join(into, `${service}.sql`);
    const database = `postgres://cumulet@127.0.0.1:${port.trim()}/cumulet_${service}`;
    const how = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=100'];
    const { exitCode, output } = await run(
      process.env.PG_DUMP ?? 'pg_dump',
      [...how, `--file=${to}`, database],
      { env: { PGPASSWORD: password.trim() } },
    );
    if (exitCode !== 0) throw new StepError(`pg_dump failed (PG_DUMP names another): ${output}`);
    const sql = await readFile(to, 'utf8');
    await writeFile(to, sql.replace(/^\\(un)?restrict .*\n/gm, ''));
  }
}

/** Guests outlive their cloud; what is recorded is a host that was switched off. */
async function endGuests(folder) {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (words.includes('qemu-system') && words.includes(folder))
      process.kill(Number(pid), 'SIGKILL');
  }
}

async function pack(checkout, work) {
  const git = ['-C', checkout, 'log', '-1', '--format=%cs-%h', '--abbrev=7'];
  const name = (await run('git', git)).output.trim();
  const folder = join(ROOT, 'apps/standalone/src/recorded-folders');
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.tgz`);
  const parts = [...FILES.map((file) => join('folder', file)), 'things.json'];
  const { exitCode, output } = await run('tar', [
    '--create',
    '--gzip',
    '--sparse',
    '--file',
    path,
    '--directory',
    work,
    ...parts,
    ...SERVICES.map((service) => `${service}.sql`),
  ]);
  if (exitCode !== 0) throw new StepError(`tar failed: ${output}`);
  return path;
}
