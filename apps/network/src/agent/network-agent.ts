/**
 * A host of a cloud whose OVN databases run elsewhere: it runs Open vSwitch and ovn-controller, and
 * serves its guests' devices and metadata. It reads everything from the southbound database.
 */
import { join } from 'node:path';
import { whyNoOvn, findOvnPrograms, PROGRAM_ROOTS } from '../data-plane/ovn/host/ovn-programs.js';
import { OvnChassis } from '../data-plane/ovn/host/ovn-chassis.js';
import { OvnHostError } from '../data-plane/ovn/host/ovn-host.errors.js';
import type { HostEvents } from '../data-plane/ovn/host/supervisor.js';
import { Taps, type TapEvents } from '../data-plane/ovn/host/taps/taps.js';
import type { MetadataAgent, MetadataEvents } from '../data-plane/ovn/metadata/metadata-agent.js';
import { startMetadata } from '../data-plane/ovn/metadata/start-metadata.js';
import { SouthboundHosts } from '../data-plane/ovn/southbound-hosts.js';
import { namesIn, physicalNetworksOf, tunnelOf } from '../data-plane/data-plane.config.js';
import type { AgentConfig } from './agent.config.js';

const GOODBYE_MS = 2_000;

export class NetworkAgent {
  private constructor(
    private readonly config: AgentConfig,
    private readonly chassis: OvnChassis,
    private readonly taps: Taps,
    private readonly metadata: MetadataAgent,
  ) {}

  /** @throws OvnHostError if OVN cannot run here @throws SettingError for contradictory settings */
  static async start(
    config: AgentConfig,
    events: HostEvents & TapEvents & MetadataEvents,
  ): Promise<NetworkAgent> {
    const { host, southbound, tapUid: uid, uplinkAddresses = new Map() } = config;
    const physicalNetworks = physicalNetworksOf(config);
    const tunnel = tunnelOf(config);
    const programs = (await whyNoOvn()) ?? (await findOvnPrograms(PROGRAM_ROOTS));
    if (typeof programs === 'string') throw new OvnHostError(`OVN cannot run: ${programs}.`);
    const chassis = await OvnChassis.start(
      {
        programs,
        folder: join(config.dataDir, 'ovn'),
        host,
        southbound,
        tunnel,
        physicalNetworks,
        uplinkAddresses,
        availabilityZones: namesIn(config.availabilityZones),
      },
      events,
    );
    const { namespace, switchDatabase } = chassis;
    const { ethtool } = programs.commands;
    const at = { namespace, host, southbound, switchDatabase, ethtool };
    const taps = new Taps({ ...at, uid }, events);
    taps.start();
    return new NetworkAgent(config, chassis, taps, startMetadata(at, config, events));
  }

  get namespace(): string {
    return this.chassis.namespace;
  }

  /** Deregisters from the cloud where it can, so that ports are marked down and gateways move. */
  async stop(): Promise<void> {
    await this.metadata.stop();
    await this.taps.stop();
    await this.chassis.stop();
    const hosts = new SouthboundHosts(this.config.southbound);
    try {
      await hosts.ready(AbortSignal.timeout(GOODBYE_MS));
      await hosts.forget(this.config.host);
    } catch {
      // The cloud notices the missing heartbeats, as after a power failure.
    } finally {
      hosts.close();
    }
  }
}
