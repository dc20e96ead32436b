/**
 * The standalone cloud from nothing to ready, and back. What it takes is given back in the opposite
 * order, whichever step fails.
 */
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import { createLogger } from '@cumulet/common/observe/logger';
import { startTracing } from '@cumulet/common/observe/tracing';
import { banner } from './banner.js';
import { cloudEntries } from './cloud-users.js';
import type { Cloud } from './cloud.js';
import { cloudsYaml, writeCloudsYaml } from './clouds-yaml.js';
import type { Environment, StandaloneConfig } from './config.js';
import { openDataFolder, type DataFolder } from './data-folder.js';
import { startPostgres, type PostgresServer } from './postgres/start-postgres.js';
import { readSecrets } from './secrets.js';
import { seedMicro } from './seed-micro.js';
import { asStartupError } from './startup-error.js';

export interface Standalone {
  readonly cloud: Cloud;
  /** Fulfilled, with the reason, if the cloud cannot go on. */
  readonly lost: Promise<Error>;
  stop(): Promise<void>;
  /** Ends what must not outlive this process, without waiting. */
  kill(): void;
}

type Undo = (() => Promise<void> | void)[];

const SERVICES = ['identity', 'images', 'compute'] as const;

/**
 * @param signal aborted where it is to be given up before it is ready
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
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    undo.push(await startTracing(config.otlpEndpoint, 'cumulet'));
    const folder = await openDataFolder(config.dataDir);
    undo.push(() => folder.release());
    const drawn = await readSecrets(folder.path);
    const secrets = { ...drawn, adminPassword: config.adminPassword ?? drawn.adminPassword };
    // The services are thousands of modules: they are read while Postgres starts.
    const [postgres, { startCloud }] = await Promise.all([
      startDatabases(folder, { say, undo }),
      import('./cloud.js'),
    ]);
    signal.throwIfAborted();
    const cloud = await startCloud({
      ...config,
      dataDir: folder.path,
      secrets,
      env,
      logger: fileLogger(folder.path, config),
      databaseUrl: (service) => postgres.url(`cumulet_${service}`),
    }).catch((error: unknown) => {
      throw asStartupError(error, config);
    });
    undo.push(() => cloud.stop());
    signal.throwIfAborted();
    const entries = cloudEntries(cloud.url, secrets, env);
    const cloudsYamlPath = await writeCloudsYaml(folder.path, cloudsYaml(entries));
    const seconds = (performance.now() - began) / 1000;
    const micro = config.seedMicro
      ? await seedMicro({
          dataDir: folder.path,
          url: cloud.url,
          adminPassword: secrets.adminPassword,
          say,
          signal,
        })
      : 'not asked for (CUMULET_SEED_MICRO=false)';
    signal.throwIfAborted();
    say(banner({ cloud, entries, cloudsYamlPath, micro, seconds }));
    return { cloud, lost: postgres.lost, stop, kill: () => postgres.kill() };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param undo takes what stops the server as soon as it runs, whatever else fails meanwhile */
async function startDatabases(
  dataFolder: DataFolder,
  { say, undo }: { say: (line: string) => void; undo: Undo },
): Promise<PostgresServer> {
  const postgres = await startPostgres({ dataFolder, log: say });
  undo.push(() => postgres.stop());
  for (const service of SERVICES) await postgres.ensureDatabase(`cumulet_${service}`);
  return postgres;
}

/** All services log to one file, each line with its service's name. */
function fileLogger(dataDir: string, { logLevel }: StandaloneConfig): (service: string) => Logger {
  const dest = join(dataDir, 'log', 'cumulet.log');
  const destination = pino.destination({ dest, mkdir: true, sync: false });
  return (service) => createLogger(service, logLevel, destination);
}
