/** Networks with metadata and the agent, for tests of traffic. */
import { randomUUID } from 'node:crypto';
import type { MetadataPortSpec, NetworkSpec, SubnetSpec } from '../../data-plane.js';
import { HOST, newMac, type TestHost } from '../host/test-host.fixture.js';
import { networkSpec } from '../test-cloud.fixture.js';
import type { ComputeStub } from './compute-stub.fixture.js';
import type { MetadataAgent } from './metadata-agent.js';
import { startMetadata } from './start-metadata.js';

export const SECRET = 'shared';
export const METADATA = '169.254.169.254';

/** @param failed called for failures */
export function startAgent(
  { host: { chassis, central }, ethtool }: TestHost,
  compute: ComputeStub,
  failed: (error: unknown) => void,
): MetadataAgent {
  const { namespace, switchDatabase } = chassis;
  const { southbound } = central;
  const at = { host: HOST, namespace, switchDatabase, southbound, ethtool };
  const guestIngress = { host: '127.0.0.1', port: compute.port };
  const settings = {
    metadataUrl: compute.url,
    metadataSecret: SECRET,
    guestIngress,
    guestProxyProtocol: false,
  };
  return startMetadata(at, settings, { failed });
}

/** @param address of the network's metadata port */
export function withMetadata(subnet: SubnetSpec, address: string): NetworkSpec {
  const at = { subnetId: subnet.id, address, cidr: subnet.cidr };
  const metadataPort: MetadataPortSpec = {
    portId: randomUUID(),
    macAddress: newMac(),
    addresses: [at],
  };
  return { ...networkSpec(subnet), metadataPort };
}
