/** Chooses the data plane that the settings name, or the best one that this host can run. */
import { join } from 'node:path';
import type { OnModuleDestroy } from '@nestjs/common';
import { SettingError, type Values } from '@cumulet/common/config/settings';
import { ChosenDriver } from '@cumulet/common/service/chosen-driver';
import { certificatesOf, namesIn, physicalNetworksOf, tunnelOf } from './data-plane.config.js';
import type { dataPlaneSettings } from './data-plane.config.js';
import type { DataPlane } from './data-plane.js';
import {
  whyNoOvn,
  abortsUnderNat,
  findOvnPrograms,
  PROGRAM_ROOTS,
} from './ovn/host/ovn-programs.js';
import type { OvnPrograms } from './ovn/host/ovn-programs.js';
import type { OvnHostOptions } from './ovn/host/host-settings.js';
import { OvnHost } from './ovn/host/ovn-host.js';
import { OvnHostError } from './ovn/host/ovn-host.errors.js';
import type { Clash, Uplink } from './ovn/host/uplinks/uplinks.js';
import { Taps } from './ovn/host/taps/taps.js';
import { startMetadata } from './ovn/metadata/start-metadata.js';
import { presentCertificate } from './ovsdb/ovsdb-certificates.js';
import { OvnDataPlane, type OvnEvents, type OvnOptions } from './ovn/ovn-data-plane.js';
import { SimulatedDataPlane } from './simulated-data-plane.js';
import { whyNoUserNetwork, UserDataPlane } from './user/user-data-plane.js';

export type DataPlaneSettings = Omit<Values<typeof dataPlaneSettings>, 'mtu'>;

export interface DaemonLog {
  warn(context: object, message: string): void;
}

/** The chosen data plane, and why. Whatever it started ends with the service. */
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
 * @param roots folders in which OVN's programs are searched, as for `findOvnPrograms`
 * @throws OvnHostError if OVN is requested and cannot run
 * @throws SettingError for settings that contradict each other
 */
export async function chooseDataPlane(
  settings: DataPlaneSettings,
  logger: DaemonLog,
  roots: readonly string[] = PROGRAM_ROOTS,
): Promise<ChosenDataPlane> {
  const given = [physicalNetworksOf(settings), tunnelOf(settings), elsewhere(settings)] as const;
  presentCertificate(certificatesOf(settings));
  if (settings.dataPlane === 'simulated') return simulated('the settings ask for it', settings);
  if (settings.dataPlane === 'user') return user(settings, 'the settings ask for it');
  const [physicalNetworks, tunnel, addresses] = given;
  if (addresses) return byAddress(addresses, logger);
  const programs = (await whyNoOvn()) ?? (await findOvnPrograms(roots));
  const chosen =
    typeof programs === 'string'
      ? programs
      : await ovn({ ...settings, physicalNetworks, tunnel }, programs, logger);
  if (typeof chosen !== 'string') return chosen;
  if (settings.dataPlane === 'ovn') throw new OvnHostError(`OVN cannot run: ${chosen}.`);
  const whyNot = await whyNoUserNetwork(settings.searchPath);
  if (whyNot === undefined) return user(settings, `no OVN: ${chosen}`);
  return simulated(`no OVN: ${chosen}; no user-mode network: ${whyNot}`, settings);
}

/** Compute runs QEMU, perhaps elsewhere, so a requested user-mode network is not checked. */
async function user({ dataDir, host }: DataPlaneSettings, why: string): Promise<ChosenDataPlane> {
  const reason = `user, guests have their addresses on QEMU's user-mode network, where nothing can reach them (${why})`;
  return new ChosenDataPlane(await UserDataPlane.open(join(dataDir, 'user'), host), reason);
}

function simulated(why: string, { host }: DataPlaneSettings): ChosenDataPlane {
  const reason = `simulated, no packets are carried (${why})`;
  return new ChosenDataPlane(new SimulatedDataPlane(host), reason);
}

/** @throws SettingError if only one of the two databases is set */
function elsewhere({
  ovnNorthbound: northbound,
  ovnSouthbound: southbound,
}: DataPlaneSettings): OvnOptions | undefined {
  if (northbound === undefined && southbound === undefined) return undefined;
  if (northbound !== undefined && southbound !== undefined) return { northbound, southbound };
  throw new SettingError('NETWORK_OVN_NORTHBOUND and NETWORK_OVN_SOUTHBOUND must be set together');
}

/** Uses an OVN that already runs; nothing is started or stopped here. */
function byAddress(addresses: OvnOptions, logger: DaemonLog): ChosenDataPlane {
  const driver = new OvnDataPlane(addresses, eventsOf(logger));
  const { northbound, southbound } = addresses;
  const reason = `the OVN at ${northbound} and ${southbound}, which this process does not run`;
  return new ChosenDataPlane(driver, reason, () => {
    driver.close();
    return Promise.resolve();
  });
}

function eventsOf(logger: DaemonLog): OvnEvents {
  return {
    unsupported: (of, why) =>
      logger.warn({ ...of, why }, 'a value was left out, since OVN does not support it'),
  };
}

/** @returns the reason if it did not start */
async function ovn(
  settings: Omit<DataPlaneSettings, 'physicalNetworks'> &
    Pick<OvnHostOptions, 'physicalNetworks' | 'tunnel'>,
  programs: OvnPrograms,
  logger: DaemonLog,
): Promise<ChosenDataPlane | string> {
  const { dataDir, host: name, physicalNetworks, tunnel, uplinkAddresses = new Map() } = settings;
  const options = {
    programs,
    folder: join(dataDir, 'ovn'),
    host: name,
    physicalNetworks,
    uplinkAddresses,
    physicalDevices: settings.physicalDevices,
    tunnel,
    listen: settings.ovnListen,
    certificates: certificatesOf(settings),
    availabilityZones: namesIn(settings.availabilityZones),
  };
  try {
    const host = await OvnHost.start(options, {
      ended: (daemon, how) =>
        logger.warn({ daemon, how }, 'a daemon of OVN has exited and is being restarted'),
    });
    const { central, chassis } = host;
    const { northbound, southbound } = central;
    const { namespace, switchDatabase } = chassis;
    const driver = new OvnDataPlane({ northbound, southbound }, eventsOf(logger));
    const { ethtool } = programs.commands;
    const taps = new Taps(
      { namespace, host: name, southbound, switchDatabase, uid: settings.tapUid, ethtool },
      { failed: (err) => logger.warn({ err }, "setting up a guest's device will be retried") },
    );
    taps.start();
    const metadata = startMetadata(
      { namespace, host: name, southbound, switchDatabase, ethtool },
      settings,
      {
        failed: (err) =>
          logger.warn({ err }, 'setting up the metadata of a network will be retried'),
      },
    );
    return new ChosenDataPlane(driver, described(programs, host), async () => {
      const hosts = await driver.hosts().catch(() => []);
      driver.close();
      await taps.stop();
      await metadata.stop();
      // Only now: both start programs in the namespaces.
      const plugged = await chassis.pluggedIn();
      // Guests, or other hosts, need what this process has started.
      if (plugged.length > 0 || hosts.length > 1) host.detach();
      else await host.stop();
    });
  } catch (error) {
    if (error instanceof OvnHostError) return error.message;
    throw error;
  }
}

function described({ versions: { ovs, ovn: version } }: OvnPrograms, { chassis }: OvnHost): string {
  const flaw = abortsUnderNat(ovs)
    ? ', which may restart now and then under address translation'
    : '';
  const links = chassis.uplinks.map((uplink) => describedUplink(uplink, chassis.clashOf(uplink)));
  const physical =
    links.length === 0 ? '' : `; connected to the physical networks ${links.join(', ')}`;
  return `OVN ${version} with Open vSwitch ${ovs} in userspace${flaw}, in the network namespace ${chassis.namespace}${physical}`;
}

function describedUplink(uplink: Uplink, clash?: Clash): string {
  const { physicalNetwork, device, address, given } = uplink;
  if (given !== undefined) return `${physicalNetwork} by this host's device ${given}`;
  const link = `${physicalNetwork} is ${device}`;
  if (address === undefined) return link;
  if (!clash) return `${link} with ${address}`;
  const by = [clash.dev && ` by ${clash.dev}`, clash.owner && ` ${clash.owner}`].join('');
  return `${link} without ${address} (the machine has a route to ${clash.dst}${by})`;
}
