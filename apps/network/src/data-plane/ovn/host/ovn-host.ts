/**
 * This host's own OVN: six daemons in the folder and the network namespace that belong to it alone.
 * Whatever of them ends is started again. Of the machine's own network nothing
 * is changed but its `uplinks`.
 */
import { chmod, chown, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OvsdbClient } from '../../ovsdb/ovsdb-client.js';
import { Daemon } from './daemon.js';
import { commandOf, DAEMON_ENVIRONMENT, DAEMON_NAMES, type DaemonName } from './daemons.js';
import { accountOf, namespaceOf, socketOf, type OvnHostOptions } from './host-settings.js';
import { OvnHostError } from './ovn-host.errors.js';
import type { DatabaseName } from './ovn-programs.js';
import { daemonsIn, ensureNamespace, removeNamespace, run } from './switch-namespace.js';
import type { Route } from './uplink-addresses.js';
import { makeUplink, planUplink, removeUplink, uplinksOf, type Uplink } from './uplinks.js';
import { INTEGRATION_BRIDGE, planSwitch, SWITCH_DATABASE, SWITCH_TABLES } from './switch-rows.js';

const DATABASES: Readonly<Record<DatabaseName, string>> = {
  northbound: 'nb',
  southbound: 'sb',
  switch: 'switch',
};

/** Linux's device number of /dev/net/tun. Public source: Documentation/admin-guide/devices.txt. */
const TUN = ['c', '10', '200'];
const READY_MS = 20_000;
const POLL_MS = 10;
const BRIDGE_MS = 30_000;

export interface HostEvents {
  /** A daemon has ended by itself, and is started again. */
  readonly ended: (name: DaemonName, how: string) => void;
}

export class OvnHost {
  readonly #daemons = new Map<DaemonName, Daemon>();
  readonly #clashes = new Map<string, Route>();
  readonly #stopping = new AbortController();
  readonly #atExit = (): void => [...this.#daemons.values()].forEach((daemon) => daemon.kill());

  private constructor(
    private readonly options: OvnHostOptions,
    private readonly events: HostEvents,
  ) {}

  /** @throws OvnHostError if it does not come up; nothing is left then */
  static async start(options: OvnHostOptions, events: HostEvents): Promise<OvnHost> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const folder = await realpath(options.folder);
    const host = new OvnHost({ ...options, folder }, events);
    try {
      await host.#start();
    } catch (error) {
      await host.stop();
      throw error;
    }
    return host;
  }

  get namespace(): string {
    return namespaceOf(this.options.folder);
  }

  /** Of the northbound database. */
  get northbound(): string {
    return socketOf(this.options.folder, 'nb');
  }

  /** Of the host's own database, in which ports are plugged in. */
  get switchDatabase(): string {
    return socketOf(this.options.folder, 'switch');
  }

  /** What leads from the machine to physical networks. */
  get uplinks(): readonly Uplink[] {
    return uplinksOf(this.options);
  }

  /** The route for which an uplink goes without its address. */
  clashOf({ physicalNetwork }: Uplink): Route | undefined {
    return this.#clashes.get(physicalNetwork);
  }

  /** Undefined while it does not run. */
  pidOf(name: DaemonName): number | undefined {
    return this.#daemons.get(name)?.pid;
  }

  /** Ends the daemons, and removes the namespace unless guests are plugged in there. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    process.off('exit', this.#atExit);
    for (const name of [...DAEMON_NAMES].reverse()) await this.#daemons.get(name)?.stop();
    for (const uplink of this.uplinks) await removeUplink(uplink);
    await removeNamespace(this.namespace);
  }

  async #start(): Promise<void> {
    const { folder } = this.options;
    await endLeftovers(folder);
    await Promise.all([this.#prepareFolder(), ensureNamespace(this.namespace)]);
    process.on('exit', this.#atExit);
    for (const name of ['northbound', 'southbound', 'switch-database'] as const) this.#run(name);
    const names = Object.values(DATABASES);
    await Promise.all(names.map((name) => this.#answering(join(folder, `${name}.sock`))));
    await this.#configureSwitch();
    for (const name of ['northd', 'switch'] as const) this.#run(name);
    // Tried too early, the switch is tried again only after seconds.
    await this.#answering(join(folder, `${INTEGRATION_BRIDGE}.mgmt`));
    this.#run('controller');
  }

  #run(name: DaemonName): void {
    const daemon = new Daemon({
      command: commandOf(name, this.options),
      cwd: this.options.folder,
      env: DAEMON_ENVIRONMENT,
      ended: (how) => this.events.ended(name, how),
      restarted: () => {
        if (name === 'switch') void this.#refill();
      },
    });
    this.#daemons.set(name, daemon);
    daemon.start();
  }

  /** A new switch has no flows, and ovn-controller takes seconds to try it again by itself. */
  async #refill(): Promise<void> {
    const bridge = join(this.options.folder, `${INTEGRATION_BRIDGE}.mgmt`);
    await this.#answering(bridge, BRIDGE_MS).then(
      () => this.#daemons.get('controller')?.restart(),
      () => undefined,
    );
  }

  /** The databases, made anew if other programs had made them: all in them follows from rows. */
  async #prepareFolder(): Promise<void> {
    const { folder, programs } = this.options;
    const account = accountOf(folder);
    await chown(folder, account, account);
    const mark = join(folder, 'programs');
    const wanted = JSON.stringify(programs.versions);
    if ((await readFile(mark, 'utf8').catch(() => '')) !== wanted) {
      for (const name of Object.values(DATABASES)) await this.#createDatabase(name, account);
      await rm(join(folder, 'tun'), { force: true });
      await run('mknod', [join(folder, 'tun'), ...TUN]);
      await writeFile(mark, wanted);
    }
    await chown(join(folder, 'tun'), account, account);
    await chmod(join(folder, 'tun'), 0o600);
  }

  async #createDatabase(name: string, account: number): Promise<void> {
    const { folder, programs } = this.options;
    const path = join(folder, `${name}.db`);
    await rm(path, { force: true });
    const schema = Object.entries(DATABASES).find(([, one]) => one === name)?.[0] as DatabaseName;
    const [tool, ...args] = programs.commands['ovsdb-tool'];
    await run(tool, [...args, 'create', path, programs.schemas[schema]]);
    await chown(path, account, account);
    // Root's, from the tool.
    await rm(join(folder, `.${name}.db.~lock~`), { force: true });
  }

  async #configureSwitch(): Promise<void> {
    const client = new OvsdbClient({
      address: this.switchDatabase,
      database: SWITCH_DATABASE,
      tables: SWITCH_TABLES,
    });
    client.start();
    try {
      await client.ready(AbortSignal.timeout(READY_MS));
      const operations = planSwitch(client.rows, this.options);
      if (operations.length > 0) await client.transact(operations);
      const known = new Set([...client.rows.of('Port').values()].map(({ name }) => name));
      for (const uplink of this.uplinks) {
        const clash = await makeUplink(this.options, uplink);
        if (clash) this.#clashes.set(uplink.physicalNetwork, clash);
        if (!known.has(uplink.peer)) await client.transact(planUplink(uplink));
      }
    } finally {
      client.stop();
    }
  }

  /** @throws OvnHostError if nobody listens on the socket in time */
  async #answering(path: string, withinMs = READY_MS): Promise<void> {
    const end = performance.now() + withinMs;
    while (!(await answers(path))) {
      if (performance.now() > end || this.#stopping.signal.aborted)
        throw new OvnHostError(`${path} does not answer; the logs beside it say why`);
      await delay(POLL_MS);
    }
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** @throws OvnHostError if a daemon of an earlier process does not end */
async function endLeftovers(folder: string): Promise<void> {
  const end = performance.now() + READY_MS;
  for (let pids = await daemonsIn(folder); pids.length > 0; pids = await daemonsIn(folder)) {
    if (performance.now() > end)
      throw new OvnHostError(
        `The processes ${pids.join(', ')} keep hold of ${folder}: end them first`,
      );
    for (const pid of pids) kill(pid);
    await delay(POLL_MS);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
