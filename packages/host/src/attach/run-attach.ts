/** Runs the container of an agent: `attach <kind> [<entry>]`. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { loadSettings } from '@cumulet/common/config/settings';
import { createLogger } from '@cumulet/common/observe/logger';
import { askProbe } from '@cumulet/common/tls/ask-probe';
import { AGENT_KINDS, AGENT_PORTS, isAgentKind, type AgentKind } from '../door/agent-kinds.js';
import type { Environment, Greeting } from '../door/messages.js';
import { serveProbe, type Readiness } from '../probe.js';
import { Attach } from './attach.js';
import { attachSettings, ENTRIES } from './config.js';
import { readProgram } from './read-program.js';

const PROBE_MS = 3_000;

/** @returns the exit code */
export async function runAttach(
  [kind, entry]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  if (!isAgentKind(kind))
    throw new Error(`attach: the kind of agent must be one of ${AGENT_KINDS.join(', ')}`);
  const config = loadSettings(attachSettings, env);
  const logger = createLogger(`${kind}-agent`, config.logLevel);
  const folder = config.programDir;
  const environment = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined),
  ) as Environment;
  const files = await readProgram(folder);
  const agent = { kind, entry: entry ?? ENTRIES[kind], environment, folder, files };
  const attach = new Attach(agent, config.hostsDir, {
    aboard: (host) => logger.info({ host }, 'the agent is aboard'),
    lost: (host) => logger.warn({ host }, 'the host is gone; the agent looks for one'),
    waiting: (reason) => logger.warn(`${reason}; the agent waits`),
    output: (stream, bytes) => write(process[stream], bytes),
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const)
    process.on(signal, () => void attach.signal(signal));
  const probe = await serveProbe(config.probePort, () =>
    attach.host ? readinessOf(kind, attach.host, environment) : { reason: attach.reason },
  );
  try {
    return await attach.run();
  } finally {
    probe.close();
    probe.closeAllConnections();
  }
}

/** As the agent itself says, on its host. */
async function readinessOf(
  kind: AgentKind,
  { host, address }: Greeting,
  environment: Environment,
): Promise<Readiness> {
  const own = AGENT_PORTS[kind];
  if (own === undefined) return { host };
  const at = { host: address, port: environment[own.env] || own.port, path: '/readyz' };
  try {
    const status = await askProbe(environment, at, PROBE_MS);
    return status === 200 ? { host } : { host, reason: `The agent on ${host} answers ${status}` };
  } catch {
    return { host, reason: `The agent does not answer at ${address}:${at.port}` };
  }
}

async function write(stream: Writable, bytes: Buffer): Promise<void> {
  if (!stream.write(bytes)) await once(stream, 'drain');
}
