/** Chooses the data plane that the settings name, or the best that this host can run. */
import { join } from 'node:path';
import type { OnModuleDestroy } from '@nestjs/common';
import { SettingError } from '@cumulet/common/config/settings';
import { ChosenDriver } from '@cumulet/common/service/chosen-driver';
import type { NetworkConfig } from '../config.js';
import type { DataPlane } from './data-plane.js';
import { whyNoOvn } from './ovn/host/may-run-ovn.js';
import { OvnHost } from './ovn/host/ovn-host.js';
import { OvnHostError } from './ovn/host/ovn-host.errors.js';
import {
  abortsUnderNat,
  findOvnPrograms,
  PROGRAM_ROOTS,
  type OvnPrograms,
} from './ovn/host/ovn-programs.js';
import type { Route } from './ovn/host/uplink-addresses.js';
import type { Uplink } from './ovn/host/uplinks.js';
import { OvnDataPlane } from './ovn/ovn-data-plane.js';
import { SimulatedDataPlane } from './simulated-data-plane.js';
import { whyNoUserNetwork } from './user/may-use-user-network.js';
import { UserDataPlane } from './user/user-data-plane.js';

export type DataPlaneSettings = Pick<
  NetworkConfig,
  'dataPlane' | 'dataDir' | 'host' | 'physicalNetworks' | 'uplinkAddresses' | 'searchPath'
>;

/** The service's log, as far as it is needed here. */
export interface DaemonLog {
  warn(context: object, message: string): void;
}

/** Which data plane carries packets here, and why; what it has started ends with the service. */
export class ChosenDataPlane extends ChosenDriver<DataPlane> implements OnModuleDestroy {
  constructor(
    driver: DataPlane,
    reason: string,
    private readonly end: () => Promise<void> = () => Promise.resolve(),
  ) {
    super('data plane', driver, reason);
  }

  onModuleDestroy(): Promise<void> {
    return this.end();
  }
}

/**
 * @param roots where OVN's programs are looked for, as in `findOvnPrograms`
 * @throws OvnHostError if OVN is asked for and cannot run
 * @throws SettingError if an address is for a physical network that there is not
 */
export async function chooseDataPlane(
  settings: DataPlaneSettings,
  logger: DaemonLog,
  roots: readonly string[] = PROGRAM_ROOTS,
): Promise<ChosenDataPlane> {
  const physicalNetworks = physicalNetworksOf(settings);
  if (settings.dataPlane === 'simulated') return simulated('the settings ask for it');
  if (settings.dataPlane === 'user') return user(settings, 'the settings ask for it');
  const programs = (await whyNoOvn()) ?? (await findOvnPrograms(roots));
  const chosen =
    typeof programs === 'string'
      ? programs
      : await ovn({ ...settings, physicalNetworks }, programs, logger);
  if (typeof chosen !== 'string') return chosen;
  if (settings.dataPlane === 'ovn') throw new OvnHostError(`OVN cannot run: ${chosen}.`);
  const whyNot = await whyNoUserNetwork(settings.searchPath);
  if (whyNot === undefined) return user(settings, `no OVN: ${chosen}`);
  return simulated(`no OVN: ${chosen}; no user-mode network: ${whyNot}`);
}

/** QEMU itself is compute's, which may run elsewhere: whoever asks for it knows that it is there. */
async function user({ dataDir }: DataPlaneSettings, why: string): Promise<ChosenDataPlane> {
  const reason = `user, guests have their addresses on QEMU's user-mode network, where nothing reaches them (${why})`;
  return new ChosenDataPlane(await UserDataPlane.open(join(dataDir, 'user')), reason);
}

function simulated(why: string): ChosenDataPlane {
  const reason = `simulated, no packet is really carried (${why})`;
  return new ChosenDataPlane(new SimulatedDataPlane(), reason);
}

function physicalNetworksOf(settings: DataPlaneSettings): string[] {
  const names = settings.physicalNetworks.split(',').map((one) => one.trim());
  const unknown = [...(settings.uplinkAddresses?.keys() ?? [])].find((one) => !names.includes(one));
  if (unknown === undefined) return names.filter((one) => one !== '');
  throw new SettingError(
    `NETWORK_UPLINK_ADDRESSES has an address for ${unknown}, which is not among NETWORK_PHYSICAL_NETWORKS`,
  );
}

/** @returns why it did not come up */
async function ovn(
  settings: Omit<DataPlaneSettings, 'physicalNetworks'> & {
    readonly physicalNetworks: readonly string[];
  },
  programs: OvnPrograms,
  logger: DaemonLog,
): Promise<ChosenDataPlane | string> {
  const { dataDir, host: name, physicalNetworks, uplinkAddresses = new Map() } = settings;
  const folder = join(dataDir, 'ovn');
  const options = { programs, folder, host: name, physicalNetworks, uplinkAddresses };
  const ended = (daemon: string, how: string): void =>
    logger.warn({ daemon, how }, 'a daemon of OVN has ended, and is started again');
  try {
    const host = await OvnHost.start(options, { ended });
    const driver = new OvnDataPlane({
      northbound: host.central.northbound,
      gatewayChassis: [name],
    });
    return new ChosenDataPlane(driver, described(programs, host), async () => {
      driver.close();
      await host.stop();
    });
  } catch (error) {
    if (error instanceof OvnHostError) return error.message;
    throw error;
  }
}

function described({ versions: { ovs, ovn: version } }: OvnPrograms, { chassis }: OvnHost): string {
  const flaw = abortsUnderNat(ovs) ? ', which may stop for a second under address translation' : '';
  const links = chassis.uplinks.map((uplink) => describedUplink(uplink, chassis.clashOf(uplink)));
  const physical = links.length === 0 ? '' : `; of the physical networks, ${links.join(', ')}`;
  return `OVN ${version} with Open vSwitch ${ovs} in userspace${flaw}, in the network namespace ${chassis.namespace}${physical}`;
}

function describedUplink({ physicalNetwork, device, address }: Uplink, clash?: Route): string {
  const link = `${physicalNetwork} is ${device}`;
  if (address === undefined) return link;
  if (!clash) return `${link} with ${address}`;
  const by = clash.dev === undefined ? '' : ` by ${clash.dev}`;
  return `${link} without ${address} (the machine has a route to ${clash.dst}${by})`;
}
