/**
 * Takes a host out of the cloud, for good or until its agent starts again: ends its daemons, removes
 * its devices and namespaces, and removes it from the southbound database, so that its ports are
 * down and gateways move. Any number of times.
 */
import { OvnChassis } from '../data-plane/ovn/host/ovn-chassis.js';
import { OvnHostError } from '../data-plane/ovn/host/ovn-host.errors.js';
import { SouthboundHosts } from '../data-plane/ovn/southbound-hosts.js';
import type { AgentConfig } from './agent.config.js';
import { chassisOptions } from './network-agent.js';

const GOODBYE_MS = 5_000;

/**
 * @returns a line that says what was done
 * @throws OvnHostError while guests or other programs are plugged in, while an agent runs, or if
 * the southbound database does not answer, after all the rest was done
 */
export async function leaveCloud(config: AgentConfig): Promise<string> {
  const { host, southbound } = config;
  const plugged = await OvnChassis.remove(await chassisOptions(config));
  if (plugged.length > 0)
    throw new OvnHostError(
      `${host} stays in the cloud: guests or other programs use its switch (pids ${plugged.join(', ')}).`,
    );
  const hosts = new SouthboundHosts(southbound);
  try {
    await hosts.ready(AbortSignal.timeout(GOODBYE_MS));
    await hosts.forget(host);
  } catch (error) {
    throw new OvnHostError(
      `${host} has no switch any more, but ${southbound} does not answer, and may still list it: leave again later.`,
      { cause: error },
    );
  } finally {
    hosts.close();
  }
  return `${host} has left the cloud: its switch, devices and namespaces are removed.`;
}
