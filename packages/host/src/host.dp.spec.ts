/** Hosts and agents' containers as processes. The agent is a small program that leaves a process of its own running. */
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@cumulet/testing/free-port';
import { TestProcess } from '@cumulet/testing/process/child-process';
import { eventually } from '@cumulet/testing/settle';

const FIXTURE = new URL('process.fixture.ts', import.meta.url);
const EXIT_CODE = 7;
/** Leaves a guest of sorts running, and says in its data folder who it is. */
const AGENT = `
  import { spawn } from 'node:child_process';
  import { renameSync, writeFileSync } from 'node:fs';
  const guest = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], {
    detached: true,
    stdio: 'ignore',
  });
  guest.unref();
  process.on('SIGTERM', () => process.exit(${EXIT_CODE}));
  setInterval(() => undefined, 1000);
  const facts = { pid: process.pid, guest: guest.pid, env: process.env };
  writeFileSync('facts.tmp', JSON.stringify(facts));
  renameSync('facts.tmp', 'facts.json');
  process.stdout.write('x'.repeat(300_000) + '\\n');
  console.log('the agent runs');
`;

interface Facts {
  readonly pid: number;
  readonly guest: number;
  readonly env: Readonly<Record<string, string>>;
}

/** One of the two programs, with the port of its probe. */
class Container {
  private constructor(
    readonly process: TestProcess,
    private readonly port: number,
  ) {}

  static async start(args: readonly string[]): Promise<Container> {
    const port = await freePort();
    const common = [`PATH=${process.env['PATH']}`, 'CUMULET_LOG_LEVEL=silent'];
    const own = [`CUMULET_HOSTS_DIR=${hosts}`, `CUMULET_PROBE_PORT=${port}`];
    const container = new Container(TestProcess.start(FIXTURE, [...common, ...own, ...args]), port);
    containers.push(container);
    return container;
  }

  /** Once its probe answers so: the host's name, or why it is not ready. */
  async says(what: string): Promise<void> {
    await eventually(`it says ${what}`, async () => (await this.#said()).includes(what));
  }

  async #said(): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => undefined);
    const { status, host, reason } = ((await answer?.json()) ?? {}) as Record<string, unknown>;
    return status === 'ready' ? `ready on ${String(host)}` : String(reason);
  }
}

let folder: string;
let hosts: string;
let containers: Container[];
/** Every guest that was seen: they outlive all else. */
let guests: Set<number>;

const startHost = (...more: string[]): Promise<Container> => Container.start(['host', ...more]);
const startAgent = (...more: string[]): Promise<Container> =>
  Container.start([
    'attach',
    'loadbalancer',
    'agent.js',
    `CUMULET_PROGRAM_DIR=${folder}/app`,
    ...more,
  ]);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-host-'));
  hosts = join(folder, 'hosts');
  containers = [];
  guests = new Set();
  await mkdir(join(folder, 'app', 'lib'), { recursive: true });
  await writeFile(join(folder, 'app', 'agent.js'), `import './lib/agent.js';`);
  await writeFile(join(folder, 'app', 'lib', 'agent.js'), AGENT);
  await writeFile(join(folder, 'app', 'package.json'), '{ "type": "module" }');
});
afterEach(async () => {
  for (const { process: one } of containers) await one.kill();
  await Promise.all([1, 2].map((slot) => factsOf(slot).catch(() => undefined)));
  for (const guest of guests) if (runs(guest)) process.kill(guest, 'SIGKILL');
  await rm(folder, { recursive: true });
});

async function factsOf(slot: number): Promise<Facts> {
  const facts = JSON.parse(
    await readFile(join(hosts, String(slot), 'facts.json'), 'utf8'),
  ) as Facts;
  guests.add(facts.guest);
  return facts;
}

/** The agent that came after `before` in a slot. */
async function nextAgent(slot: number, before?: Facts): Promise<Facts> {
  let facts: Facts | undefined;
  await eventually('an agent runs', async () => {
    facts = await factsOf(slot).catch(() => undefined);
    return facts !== undefined && facts.pid !== before?.pid;
  });
  return facts as Facts;
}

function runs(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const ends = (pid: number): Promise<void> => eventually(`${pid} has ended`, () => !runs(pid));

describe('an agent', () => {
  it('runs on the host with its settings, its output and its exit code', async () => {
    await startHost('CUMULET_HOST_ADDRESS=127.0.0.1');
    const agent = await startAgent('CUMULET_SERVICE_PASSWORD=secret', 'PATH=/usr/bin');
    await agent.process.printed('the agent runs');
    const { env, guest } = await nextAgent(1);
    expect(env).toMatchObject({
      CUMULET_HOST: 'host1',
      CUMULET_SERVICE_PASSWORD: 'secret',
      LOADBALANCER_DATA_DIR: join(hosts, '1', 'loadbalancer'),
      PATH: process.env['PATH'],
    });
    expect(await agent.process.terminate()).toBe(EXIT_CODE);
    expect(runs(guest)).toBe(true);
  });

  it('ends alone when its container is killed, and another takes its place', async () => {
    await startHost();
    const first = await startAgent();
    const before = await nextAgent(1);
    const second = await startAgent();
    await second.says('host1 has one');
    const programs = join(hosts, '1', 'programs');
    const [build = ''] = await readdir(programs);
    const { ino } = await stat(join(programs, build));
    await first.process.kill();
    await ends(before.pid);
    await nextAgent(1, before);
    expect(runs(before.guest)).toBe(true);
    // The same program is not copied again.
    expect((await stat(join(programs, build))).ino).toBe(ino);
  });

  it('of another build replaces the program, also one that was damaged', async () => {
    await startHost();
    const first = await startAgent();
    const before = await nextAgent(1);
    const programs = join(hosts, '1', 'programs');
    const [build = ''] = await readdir(programs);
    await first.process.kill();
    await writeFile(join(programs, build, 'lib', 'agent.js'), 'process.exit(3);');
    const second = await startAgent();
    const repaired = await nextAgent(1, before);
    await second.process.kill();
    await writeFile(join(folder, 'app', 'more.js'), '');
    await startAgent();
    await nextAgent(1, repaired);
    const [next, ...others] = await readdir(programs);
    expect([next === build, others]).toEqual([false, []]);
  });

  it('ends with its host, and looks for the next one', async () => {
    const host = await startHost();
    await startAgent();
    const before = await nextAgent(1);
    await host.process.kill();
    await ends(before.pid);
    expect(runs(before.guest)).toBe(true);
    await startHost();
    await nextAgent(1, before);
  });
});

describe('two hosts', () => {
  it('have a slot and an agent of a kind each', async () => {
    const [one, two] = await Promise.all([startHost(), startHost()]);
    await Promise.all([one.says('ready on host'), two.says('ready on host')]);
    await Promise.all([startAgent(), startAgent()]);
    const names = (await Promise.all([nextAgent(1), nextAgent(2)])).map(
      ({ env }) => env['CUMULET_HOST'],
    );
    expect(names).toEqual(['host1', 'host2']);
  });

  it('do not share a slot: the second waits until the first is gone', async () => {
    const first = await startHost('CUMULET_HOST_SLOT=3', 'CUMULET_HOST_ADDRESS=first');
    await first.says('ready on host3');
    const second = await startHost('CUMULET_HOST_SLOT=3');
    await second.says(`Slot 3 of ${hosts} is taken by another host (first)`);
    expect(await first.process.terminate()).toBe(0);
    await second.says('ready on host3');
  });
});

describe('the door', () => {
  it('refuses what is not of its protocol, and stays open', async () => {
    const host = await startHost();
    await host.says('ready on host1');
    const socket = connect(join(hosts, '1', 'door.sock'));
    socket.write('GET / HTTP/1.1\r\n\r\n');
    expect(await text(socket)).toContain('"reason":"a frame is of no known kind"');
    expect((await stat(join(hosts, '1', 'door.sock'))).mode & 0o777).toBe(0o600);
    await host.says('ready on host1');
  });
});
