/**
 * A host of a cloud whose OVN databases run elsewhere: it runs Open vSwitch and ovn-controller, and
 * serves its guests' devices and metadata. It reads everything from the southbound database.
 */
import { join } from 'node:path';
import { whyNoOvn, findOvnPrograms, PROGRAM_ROOTS } from '../data-plane/ovn/host/ovn-programs.js';
import type { ChassisOptions } from '../data-plane/ovn/host/host-settings.js';
import { OvnChassis } from '../data-plane/ovn/host/ovn-chassis.js';
import { OvnHostError } from '../data-plane/ovn/host/ovn-host.errors.js';
import type { HostEvents } from '../data-plane/ovn/host/supervisor.js';
import { Taps, type TapEvents } from '../data-plane/ovn/host/taps/taps.js';
import type { MetadataAgent, MetadataEvents } from '../data-plane/ovn/metadata/metadata-agent.js';
import { startMetadata } from '../data-plane/ovn/metadata/start-metadata.js';
import {
  certificatesOf,
  namesIn,
  physicalNetworksOf,
  tunnelOf,
} from '../data-plane/data-plane.config.js';
import type { AgentConfig } from './agent.config.js';

export class NetworkAgent {
  private constructor(
    private readonly chassis: OvnChassis,
    private readonly taps: Taps,
    private readonly metadata: MetadataAgent,
  ) {}

  /** @throws OvnHostError if OVN cannot run here @throws SettingError for contradictory settings */
  static async start(
    config: AgentConfig,
    events: HostEvents & TapEvents & MetadataEvents,
  ): Promise<NetworkAgent> {
    const { host, southbound, tapUid: uid } = config;
    const options = await chassisOptions(config);
    const chassis = await OvnChassis.start(options, events);
    const { namespace, switchDatabase } = chassis;
    const { ethtool } = options.programs.commands;
    const at = { namespace, host, southbound, switchDatabase, ethtool };
    const taps = new Taps({ ...at, uid }, events);
    taps.start();
    return new NetworkAgent(chassis, taps, startMetadata(at, config, events));
  }

  get namespace(): string {
    return this.chassis.namespace;
  }

  /** Guests keep their network: switch, devices and namespaces stay, and the next agent adopts them. */
  async stop(): Promise<void> {
    await this.metadata.stop();
    await this.taps.stop();
    this.chassis.detach();
  }
}

/** @throws OvnHostError if OVN cannot run here @throws SettingError for contradictory settings */
export async function chassisOptions(config: AgentConfig): Promise<ChassisOptions> {
  const { host, southbound, uplinkAddresses = new Map() } = config;
  const physicalNetworks = physicalNetworksOf(config);
  const tunnel = tunnelOf(config);
  const programs = (await whyNoOvn()) ?? (await findOvnPrograms(PROGRAM_ROOTS));
  if (typeof programs === 'string') throw new OvnHostError(`OVN cannot run: ${programs}.`);
  return {
    programs,
    folder: join(config.dataDir, 'ovn'),
    host,
    southbound,
    certificates: certificatesOf(config),
    tunnel,
    physicalNetworks,
    uplinkAddresses,
    physicalDevices: config.physicalDevices,
    availabilityZones: namesIn(config.availabilityZones),
  };
}
