/**
 * The standalone cloud from nothing to ready, and back. What it takes is released in reverse order,
 * whichever step fails.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { trustAuthorities } from '@cumulet/common/tls/tls';
import { createLogger } from '@cumulet/common/observe/logger';
import type { Service } from '@cumulet/common/app/define-service';
import { startTracing } from '@cumulet/common/observe/tracing';
import { cloudEntries, type SeededEntry } from './cloud-users.js';
import type { Cloud } from './cloud.js';
import { cloudsYaml, cloudsYamlPath, writeCloudsYaml } from './clouds-yaml.js';
import type { Environment, StandaloneConfig } from './config.js';
import { openDataFolder, type DataFolder } from './data-folder.js';
import { LogFile } from './log-file.js';
import { startPostgres, type PostgresServer } from './postgres/start-postgres.js';
import { chosenSecrets, readSecrets, withKeys } from './secrets.js';
import { seedCloud, type Seeds } from './seed/seed.js';
import { asStartupError } from './startup-error.js';

export interface Standalone {
  readonly cloud: Cloud;
  /** Resolves, with the reason, if the cloud cannot go on. */
  readonly lost: Promise<Error>;
  /** An exit without it also ends the database, but waits for nothing. */
  stop(): Promise<void>;
}

/** From this file and from the bundle alike. */
const GUEST_IMAGE_DIR = fileURLToPath(new URL('../guest-image', import.meta.url));

type Undo = (() => Promise<void> | void)[];

/**
 * @param signal aborted to give up before it is ready
 * @throws StartupError with one line for the person who started it, or the signal's reason
 */
export async function startStandalone(
  config: StandaloneConfig,
  env: Environment,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Standalone> {
  const began = performance.now();
  const undo: Undo = [];
  const stop = (): Promise<void> => undoAll(undo.splice(0).reverse());
  let services: readonly Service[] = [];
  try {
    trustAuthorities(config.authorities);
    undo.push(await startTracing(config.otlpEndpoint, 'cumulet'));
    const folder = await openDataFolder(config.dataDir);
    undo.push(() => folder.release());
    const log = await LogFile.open(join(folder.path, 'log', 'cumulet.log'), complain);
    undo.push(() => log.close());
    const isFirst = !existsSync(cloudsYamlPath(folder.path));
    const kept = await readSecrets(folder.path);
    // The services are thousands of modules: they load while Postgres starts, but not before its
    // process runs, as loading leaves this one no time to spawn it.
    let loading: ReturnType<typeof loadServices> | undefined;
    const load = () => (loading ??= loadServices());
    const postgres = await startServer(folder, { say, undo, onSpawn: () => void load() });
    const [{ startCloud }, { SERVICES }] = await load();
    services = SERVICES;
    const secrets = chosenSecrets(await withKeys(kept, folder.path, services, env), config);
    await postgres.ensureDatabases(services.map(({ name }) => `cumulet_${name}`));
    signal.throwIfAborted();
    const cloud = await startCloud({
      ...config,
      dataDir: folder.path,
      secrets,
      env,
      logger: (service) => createLogger(service, config.logLevel, log),
      databaseUrl: (service) => postgres.url(`cumulet_${service}`),
    });
    undo.push(() => cloud.stop());
    signal.throwIfAborted();
    const entries = cloudEntries(cloud.url, secrets, env);
    const yamlPath = await writeCloudsYaml(folder.path, cloudsYaml(entries));
    const seconds = (performance.now() - began) / 1000;
    const seeds = await seedCloud({
      ...config,
      guestImageDir: GUEST_IMAGE_DIR,
      dataDir: folder.path,
      url: cloud.localUrl,
      adminPassword: secrets.adminPassword,
      dataPlane: cloud.drivers['data plane'],
      say,
      signal,
    });
    signal.throwIfAborted();
    say(banner({ cloud, entries, cloudsYamlPath: yamlPath, seeds, seconds, isFirst }));
    return { cloud, lost: postgres.lost, stop };
  } catch (error) {
    // The original error matters more.
    await stop().catch(() => undefined);
    throw asStartupError(error, env, services);
  }
}

/** A step that fails prevents none of the others. */
async function undoAll(steps: Undo): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

function loadServices() {
  return Promise.all([import('./cloud.js'), import('./services.js')]);
}

/** @param undo gets what stops the server as soon as it runs, whatever else fails meanwhile */
async function startServer(
  dataFolder: DataFolder,
  { say, undo, onSpawn }: { say: (line: string) => void; undo: Undo; onSpawn: () => void },
): Promise<PostgresServer> {
  const postgres = await startPostgres({ dataFolder, log: say, onSpawn });
  undo.push(() => postgres.stop());
  return postgres;
}

interface BannerFacts {
  readonly cloud: Cloud;
  readonly entries: readonly SeededEntry[];
  readonly cloudsYamlPath: string;
  readonly seeds: Seeds;
  readonly seconds: number;
  /** Passwords are shown only at the first start, as logs may be read by others. */
  readonly isFirst: boolean;
}

/** The banner of a running cloud: address, users, services, first commands. */
export function banner(facts: BannerFacts): string {
  const { cloud, entries, cloudsYamlPath, seeds, seconds, isFirst } = facts;
  const users = entries.map(
    ({ name, username, password, project }) =>
      `  ${username.padEnd(8)} ${isFirst ? `${password}   ` : ''}project ${project}, OS_CLOUD=${name}`,
  );
  const first = entries[0]?.name ?? '';
  const width = Math.max(...cloud.services.map(({ name }) => name.length));
  const tries = seeds.micro.isThere
    ? [
        '  openstack server create --image micro --flavor m1.nano --nic none --wait first',
        '  openstack console log show first',
      ]
    : ['  openstack image list'];
  return [
    '',
    `Cumulet is up at ${cloud.url} (${seconds.toFixed(1)} s)`,
    '',
    ...cloud.services.map(({ name, url }) => `  ${name.padEnd(width)} ${url}`),
    ...(cloud.statisticsUrl ? [`  ${'statistics'.padEnd(width)} ${cloud.statisticsUrl}`] : []),
    '',
    isFirst ? 'Users' : `Users (passwords: ${cloudsYamlPath})`,
    ...users,
    '',
    'Drivers',
    ...Object.entries(cloud.drivers).map(([name, reason]) => `  ${name}: ${reason}`),
    `  image micro: ${seeds.micro.line}`,
    ...(seeds.nodeImages ? [`  images of cluster nodes: ${seeds.nodeImages.line}`] : []),
    `  external network: ${seeds.publicNetwork.line}`,
    ...(seeds.vipNetwork ? [`  VIPs of load balancers: ${seeds.vipNetwork.line}`] : []),
    '',
    'Try',
    `  export OS_CLIENT_CONFIG_FILE=${cloudsYamlPath} OS_CLOUD=${first}`,
    '  openstack token issue',
    ...tries,
    '',
    'Ctrl-C stops the cloud; guests go on running, and the next start finds them.',
    '',
  ].join('\n');
}
