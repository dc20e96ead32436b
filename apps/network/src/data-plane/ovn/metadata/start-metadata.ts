import type { HostConfig } from '../../../agent/agent.config.js';
import { GuestDoor } from './guest-door.js';
import { MetadataAgent, type MetadataEvents } from './metadata-agent.js';
import type { MetadataHost } from './metadata-host.js';
import { MetadataProxy } from './metadata-proxy.js';

type MetadataSettings = Pick<HostConfig, 'metadataUrl' | 'metadataSecret' | 'guestIngress'>;

/** What a host's guests find at the metadata address, as the settings say. */
export function startMetadata(
  host: MetadataHost,
  { metadataUrl: url, metadataSecret: secret, guestIngress }: MetadataSettings,
  events: MetadataEvents,
): MetadataAgent {
  const services = [new MetadataProxy({ url, secret }), new GuestDoor(guestIngress)];
  return MetadataAgent.start(host, services, events);
}
