/** A host that runs its own OVN: the central databases and one chassis, in one folder. */
import { CHASSIS_DAEMONS, type DaemonName } from './daemons.js';
import { DATABASES } from './database-files.js';
import type { OvnHostOptions } from './host-settings.js';
import { OvnCentral } from './ovn-central.js';
import { OvnChassis } from './ovn-chassis.js';
import type { HostEvents } from './supervisor.js';

/** Relative to ovn-controller's working directory, whose path need not be reachable. */
const SOUTHBOUND = `unix:${DATABASES.southbound}.sock`;

export class OvnHost {
  private constructor(
    readonly central: OvnCentral,
    readonly chassis: OvnChassis,
  ) {}

  /** @throws OvnHostError if it does not start, which leaves what was there before */
  static async start(options: OvnHostOptions, events: HostEvents): Promise<OvnHost> {
    const center = OvnCentral.start(options, events);
    const [central, chassis] = await Promise.allSettled([
      center,
      OvnChassis.start({ ...options, southbound: SOUTHBOUND }, events, center),
    ]);
    if (central.status === 'fulfilled' && chassis.status === 'fulfilled')
      return new OvnHost(central.value, chassis.value);
    for (const part of [chassis, central])
      if (part.status === 'fulfilled') await part.value.abandon();
    throw central.status === 'rejected'
      ? central.reason
      : (chassis as PromiseRejectedResult).reason;
  }

  pidOf(name: DaemonName): number | undefined {
    return isOfChassis(name) ? this.chassis.pidOf(name) : this.central.pidOf(name);
  }

  /** Leaves all of it to the next process, which adopts it. */
  detach(): void {
    this.chassis.detach();
    this.central.detach();
  }

  /** Stops the daemons, and removes namespaces and devices. */
  async stop(): Promise<void> {
    await this.chassis.stop();
    await this.central.stop();
  }
}

function isOfChassis(name: DaemonName): name is (typeof CHASSIS_DAEMONS)[number] {
  return (CHASSIS_DAEMONS as readonly DaemonName[]).includes(name);
}
