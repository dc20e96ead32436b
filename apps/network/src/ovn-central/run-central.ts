/**
 * Runs the central part of a cloud's OVN, as root or any other user: the northbound and southbound
 * databases and ovn-northd. Failures are reported in one line.
 */
import { join } from 'node:path';
import { loadSettings } from '@cumulet/common/config/settings';
import { createLogger } from '@cumulet/common/observe/logger';
import { certificatesOf } from '../data-plane/data-plane.config.js';
import { OvnCentral } from '../data-plane/ovn/host/ovn-central.js';
import { OvnHostError } from '../data-plane/ovn/host/ovn-host.errors.js';
import { findCentralPrograms, PROGRAM_ROOTS } from '../data-plane/ovn/host/ovn-programs.js';
import { centralSettings } from './central.config.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Until a signal, which ends the daemons in order. */
export async function runCentral(env: Environment): Promise<void> {
  try {
    const config = loadSettings(centralSettings, env);
    const { dataDir, listen, logLevel } = config;
    const certificates = certificatesOf(config);
    const logger = createLogger('ovn-central', logLevel);
    const programs = await findCentralPrograms(PROGRAM_ROOTS);
    if (typeof programs === 'string') throw new OvnHostError(`OVN cannot run: ${programs}.`);
    const starting = OvnCentral.start(
      { programs, folder: join(dataDir, 'ovn'), listen, certificates },
      {
        ended: (daemon, how) =>
          logger.warn({ daemon, how }, 'a daemon of OVN has exited and is being restarted'),
      },
    );
    const stop = (): void =>
      void starting.then((central) => central.stop()).then(() => process.exit(0), fail);
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    await starting;
    logger.info({ listen }, 'the databases answer');
  } catch (error) {
    fail(error);
  }
}

/** Exits with 0 if all daemons answer, or else with 1. */
export async function askHealth(env: Environment): Promise<void> {
  try {
    const { dataDir } = loadSettings({ dataDir: centralSettings.dataDir }, env);
    const silent = await OvnCentral.silentIn(join(dataDir, 'ovn'));
    if (silent.length > 0) throw new OvnHostError(`${silent.join(', ')} does not answer.`);
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
