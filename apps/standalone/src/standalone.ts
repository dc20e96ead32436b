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
import { startCloud, type Cloud } from './cloud.js';
import { cloudsYaml, writeCloudsYaml } from './clouds-yaml.js';
import type { Environment, StandaloneConfig } from './config.js';
import { openDataFolder } from './data-folder.js';
import { startPostgres } from './postgres/start-postgres.js';
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

const SERVICES = ['identity', 'images', 'compute'] as const;

/** @throws StartupError with one line for the person who started it */
export async function startStandalone(
  config: StandaloneConfig,
  env: Environment,
  say: (line: string) => void,
): Promise<Standalone> {
  const began = performance.now();
  const undo: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    undo.push(await startTracing(config.otlpEndpoint, 'cumulet'));
    const folder = await openDataFolder(config.dataDir);
    undo.push(() => folder.release());
    const drawn = await readSecrets(folder.path);
    const secrets = { ...drawn, adminPassword: config.adminPassword ?? drawn.adminPassword };
    const postgres = await startPostgres({ dataFolder: folder, log: say });
    undo.push(() => postgres.stop());
    for (const service of SERVICES) await postgres.ensureDatabase(`cumulet_${service}`);
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
    const entries = cloudEntries(cloud.url, secrets, env);
    const cloudsYamlPath = await writeCloudsYaml(folder.path, cloudsYaml(entries));
    const seconds = (performance.now() - began) / 1000;
    const micro = config.seedMicro
      ? await seedMicro({
          dataDir: folder.path,
          url: cloud.url,
          adminPassword: secrets.adminPassword,
          say,
        })
      : 'not asked for (CUMULET_SEED_MICRO=false)';
    say(banner({ cloud, entries, cloudsYamlPath, micro, seconds }));
    return { cloud, lost: postgres.lost, stop, kill: () => postgres.kill() };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** All services log to one file, each line with its service's name. */
function fileLogger(dataDir: string, { logLevel }: StandaloneConfig): (service: string) => Logger {
  const dest = join(dataDir, 'log', 'cumulet.log');
  const destination = pino.destination({ dest, mkdir: true, sync: false });
  return (service) => createLogger(service, logLevel, destination);
}
