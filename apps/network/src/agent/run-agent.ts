/** Runs the agent, or takes its host out of the cloud. Failures are reported in one line. */
import { loadSettings } from '@cumulet/common/config/settings';
import { trustAuthorities } from '@cumulet/common/tls/tls';
import { createLogger } from '@cumulet/common/observe/logger';
import { certificatesOf } from '../data-plane/data-plane.config.js';
import { presentCertificate } from '../data-plane/ovsdb/ovsdb-certificates.js';
import { agentSettings } from './agent.config.js';
import { leaveCloud } from './leave-cloud.js';
import { NetworkAgent } from './network-agent.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Until a signal, which leaves the switch to the next agent. */
export async function runAgent(env: Environment): Promise<void> {
  try {
    const config = loadSettings(agentSettings, env);
    trustAuthorities(config.authorities);
    presentCertificate(certificatesOf(config));
    const logger = createLogger('network-agent', config.logLevel);
    const agent = await NetworkAgent.start(config, {
      ended: (daemon, how) =>
        logger.warn({ daemon, how }, 'a daemon of OVN has exited and is being restarted'),
      failed: (error) => logger.warn({ err: error }, "setting up a guest's device will be retried"),
    });
    const stop = (): void => void agent.stop().then(() => process.exit(0), fail);
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    const { host, southbound } = config;
    logger.info({ host, southbound, namespace: agent.namespace }, 'the switch is running');
  } catch (error) {
    fail(error);
  }
}

export async function runLeave(env: Environment): Promise<void> {
  try {
    const config = loadSettings(agentSettings, env);
    presentCertificate(certificatesOf(config));
    process.stdout.write(`${await leaveCloud(config)}\n`);
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
