/** A host whose OVN is all its own: the center and the one chassis, in one folder. */
import { CHASSIS_DAEMONS, type DaemonName } from './daemons.js';
import { DATABASES } from './database-files.js';
import type { OvnHostOptions } from './host-settings.js';
import { OvnCentral } from './ovn-central.js';
import { OvnChassis } from './ovn-chassis.js';
import type { HostEvents } from './supervisor.js';

/** In the folder in which ovn-controller starts, which need not be reachable by path. */
const SOUTHBOUND = `unix:${DATABASES.southbound}.sock`;

export class OvnHost {
  private constructor(
    readonly central: OvnCentral,
    readonly chassis: OvnChassis,
  ) {}

  /** @throws OvnHostError if it does not come up; nothing is left then */
  static async start(options: OvnHostOptions, events: HostEvents): Promise<OvnHost> {
    const center = OvnCentral.start(options, events);
    const [central, chassis] = await Promise.allSettled([
      center,
      OvnChassis.start({ ...options, southbound: SOUTHBOUND }, events, center),
    ]);
    if (central.status === 'fulfilled' && chassis.status === 'fulfilled')
      return new OvnHost(central.value, chassis.value);
    for (const part of [chassis, central]) if (part.status === 'fulfilled') await part.value.stop();
    throw central.status === 'rejected'
      ? central.reason
      : (chassis as PromiseRejectedResult).reason;
  }

  /** Undefined while it does not run. */
  pidOf(name: DaemonName): number | undefined {
    return isOfChassis(name) ? this.chassis.pidOf(name) : this.central.pidOf(name);
  }

  async stop(): Promise<void> {
    await this.chassis.stop();
    await this.central.stop();
  }
}

function isOfChassis(name: DaemonName): name is (typeof CHASSIS_DAEMONS)[number] {
  return (CHASSIS_DAEMONS as readonly DaemonName[]).includes(name);
}
