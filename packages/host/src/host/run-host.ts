/** Runs a host: takes a slot, waiting for one if it must, opens the door, and closes it on a signal. */
import { setTimeout as delay } from 'node:timers/promises';
import { loadSettings } from '@cumulet/common/config/settings';
import { createLogger } from '@cumulet/common/observe/logger';
import { serveProbe } from '../probe.js';
import { hostSettings } from './config.js';
import { Host } from './host.js';
import { takeSlot, type Slot } from './slots.js';

const LOOK_MS = 1_000;

export async function runHost(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const config = loadSettings(hostSettings, env);
  const logger = createLogger('host', config.logLevel);
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort());

  let host: Host | undefined;
  let reason: string | undefined = 'The host is starting';
  const wait = async (error: unknown): Promise<void> => {
    const { message } = error as Error;
    if (message !== reason) logger.warn(`${message}; this host waits`);
    reason = message;
    await delay(LOOK_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
  };
  const probe = await serveProbe(config.probePort, async () => ({
    reason,
    ...(host && { host: host.name, lacks: await host.lacks() }),
  }));

  let slot: Slot | undefined;
  while (!host && !stopping.signal.aborted) {
    try {
      slot ??= await takeSlot(config.hostsDir, config.slot, config.address);
      host = await Host.open(slot, config, env, {
        came: (kind, build) => logger.info({ kind, build }, 'an agent is aboard'),
        left: (kind, code) => logger.info({ kind, code }, 'an agent has ended'),
        refused: (why) => logger.warn({ reason: why }, 'an agent could not come aboard'),
      });
    } catch (error) {
      // A folder that is taken, full or read-only now may not be later.
      await wait(error);
    }
  }
  if (host) {
    reason = undefined;
    const lacks = await host.lacks();
    logger.info({ host: host.name, folder: slot?.folder }, 'the host is open for its agents');
    for (const lack of Object.values(lacks)) logger.warn(lack);
    if (!stopping.signal.aborted)
      await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve));
    reason = 'The host is stopping';
    await host.stop();
  }
  probe.close();
  probe.closeAllConnections();
}
