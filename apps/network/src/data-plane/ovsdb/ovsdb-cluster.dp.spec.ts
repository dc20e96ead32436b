/** A database of three servers, reached with certificates, each of which is killed in turn. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CertificateFiles } from '@cumulet/testing/certificate-files';
import { eventually } from '@cumulet/testing/settle';
import { plain } from '../../languages/ovsdb-text.js';
import { findCentralPrograms, PROGRAM_ROOTS } from '../ovn/host/ovn-programs.js';
import { run } from '../ovn/host/switch-namespace.js';
import { presentCertificate } from './ovsdb-certificates.js';
import { OvsdbClient } from './ovsdb-client.js';
import { OvsdbConnection } from './ovsdb-connection.js';
import { OvsdbUnavailableError } from './ovsdb.errors.js';
import { ServerStatus } from './server-status.js';

const DATABASE = 'OVN_Northbound';
// Random addresses, since other tests may run on this machine.
const NETWORK = `127.${randomInt(1, 255)}.${randomInt(256)}`;
const HOSTS = [1, 2, 3].map((last) => `${NETWORK}.${last}`);

let folder: string;
let files: CertificateFiles;
let presented: { privateKey: string; certificate: string; authority: string };
let serve: (host: string) => ChildProcess;
const servers = new Map<string, ChildProcess>();
let client: OvsdbClient;

const folderOf = (host: string): string => join(folder, host);
const silent = { notified: () => undefined, closed: () => undefined };

async function control(host: string, method: string): Promise<string> {
  const connection = await OvsdbConnection.open({ path: join(folderOf(host), 'ctl') }, silent);
  try {
    return await connection.call<string>(method, method.startsWith('cluster/') ? [DATABASE] : []);
  } finally {
    connection.end();
  }
}

/** Why the server must not be used; undefined for the leader. */
async function refusal(host: string): Promise<Error | undefined> {
  const socket = { path: join(folderOf(host), 'sock') };
  const connection = await OvsdbConnection.open(socket, silent);
  try {
    const status = new ServerStatus(host, DATABASE);
    const rows = await connection.call('monitor_cond', ServerStatus.monitor('status'));
    return status.update(rows as Parameters<ServerStatus['update']>[0]);
  } finally {
    connection.end();
  }
}

const isMember = async (host: string): Promise<boolean> =>
  /^Status: cluster member$/m.test(await control(host, 'cluster/status').catch(() => ''));

async function leaderOf(hosts: readonly string[]): Promise<string> {
  let found: string | undefined;
  await eventually('there is a leader', async () => {
    for (const host of hosts) {
      const isLeader = await refusal(host).then(
        (why) => why === undefined,
        () => false,
      );
      if (isLeader) found = host;
    }
    return found !== undefined;
  });
  return found ?? '';
}

async function kill(host: string): Promise<void> {
  const server = servers.get(host);
  server?.kill('SIGKILL');
  if (server?.exitCode === null && server.signalCode === null) await once(server, 'exit');
}

beforeAll(async () => {
  const programs = await findCentralPrograms(PROGRAM_ROOTS);
  if (typeof programs === 'string') throw new Error(`OVN cannot be tested: ${programs}`);
  const [tool, ...toolArgs] = programs.commands['ovsdb-tool'];
  const [program, ...programArgs] = programs.commands['ovsdb-server'];
  folder = await mkdtemp(join(tmpdir(), 'cumulet-cluster-'));
  files = new CertificateFiles();
  const authority = files.authority('ovn');
  files.issue(authority, 'DNS:ovn');
  presented = { privateKey: files.key, certificate: files.certificate, authority };
  const secure = [
    `--private-key=${files.key}`,
    `--certificate=${files.certificate}`,
    `--ca-cert=${authority}`,
  ];
  serve = (host) => {
    const remotes = ['--remote=punix:sock', `--remote=pssl:6641:${host}`, '--unixctl=./ctl'];
    const args = [...programArgs, 'nb.db', ...remotes, ...secure, '-vconsole:off'];
    const env = { OVS_RUNDIR: '.', OVS_DBDIR: '.', OVS_LOGDIR: '.' };
    return spawn(program, args, { cwd: folderOf(host), env, stdio: 'ignore' });
  };
  const [first = '', ...others] = HOSTS;
  const make = async (host: string, ...args: readonly string[]): Promise<void> => {
    await mkdir(folderOf(host));
    await run(tool, [...toolArgs, ...args]);
    servers.set(host, serve(host));
    await eventually(`${host} is a member`, () => isMember(host));
  };
  const at = (host: string): string => `tcp:${host}:6643`;
  const file = (host: string): string => join(folderOf(host), 'nb.db');
  await make(first, 'create-cluster', file(first), programs.schemas.northbound, at(first));
  for (const host of others)
    await make(host, 'join-cluster', file(host), DATABASE, at(host), at(first));
  presentCertificate(presented);
  client = new OvsdbClient({
    address: HOSTS.map((host) => `ssl:${host}:6641`).join(','),
    database: DATABASE,
    tables: { Logical_Switch: ['name'] },
  });
  client.start();
  await client.ready();
});
afterAll(async () => {
  client.stop();
  presentCertificate(undefined);
  for (const host of HOSTS) await kill(host);
  files.remove();
  await rm(folder, { recursive: true });
});

it('writes on while each server is killed in turn, and keeps what was acknowledged', async () => {
  const acknowledged = new Set<string>();
  let isWriting = true;
  const write = async (): Promise<void> => {
    for (let number = 0; isWriting; number++) {
      const name = `switch ${number}`;
      try {
        await client.transact([
          { op: 'insert', table: 'Logical_Switch', id: randomUUID(), row: { name: plain(name) } },
        ]);
        acknowledged.add(name);
      } catch (error) {
        if (!(error instanceof OvsdbUnavailableError)) throw error;
        // Committed or not; the next one has another name.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  };
  const writing = write();
  const goesOn = async (): Promise<void> => {
    const before = acknowledged.size;
    await eventually('it goes on', () => acknowledged.size > before + 10);
  };
  await goesOn();
  for (const host of HOSTS) {
    await kill(host);
    await goesOn();
    servers.set(host, serve(host));
    await eventually(`${host} is back`, () => isMember(host));
  }
  await goesOn();
  isWriting = false;
  await writing;
  await eventually('its rows are current', () =>
    client.catchUp().then(
      () => true,
      () => false,
    ),
  );
  const names = new Set([...client.rows.of('Logical_Switch').values()].map(({ name }) => name));
  expect([...acknowledged].filter((name) => !names.has(name))).toEqual([]);
});

it('leaves a server that does not lead any more', async () => {
  const before = await leaderOf(HOSTS);
  await client.catchUp();
  let connections = 0;
  client.onConnect(() => connections++);
  servers.get(before)?.kill('SIGSTOP');
  await leaderOf(HOSTS.filter((host) => host !== before));
  expect(connections).toBe(0);
  servers.get(before)?.kill('SIGCONT');
  await eventually('it is with another', () => connections > 0);
  await client.catchUp();
});

it('connects with a certificate of the authority only', async () => {
  const other = new CertificateFiles();
  try {
    const strange = other.authority('strange');
    other.issue(strange, 'DNS:ovn');
    const server = { method: 'ssl' as const, host: HOSTS[0] ?? '', port: 6641 };
    const ask = async (): Promise<unknown> => {
      const connection = await OvsdbConnection.open(server, silent);
      return connection.call('list_dbs', []).finally(() => connection.end());
    };
    expect(await ask()).toContain(DATABASE);
    presentCertificate({ ...presented, authority: strange });
    await expect(ask()).rejects.toThrow('certificate');
    presentCertificate({ ...presented, privateKey: other.key, certificate: other.certificate });
    await expect(ask()).rejects.toThrow();
  } finally {
    presentCertificate(presented);
    other.remove();
  }
});
