import type { HostConfig } from '../../data-plane.config.js';
import { GuestApiProxy } from './guest-api-proxy.js';
import { MetadataAgent, type MetadataEvents } from './metadata-agent.js';
import type { MetadataHost } from './metadata-namespace.js';
import { MetadataProxy } from './metadata-proxy.js';

type MetadataSettings = Pick<
  HostConfig,
  'metadataUrl' | 'metadataSecret' | 'guestIngress' | 'guestProxyProtocol'
>;

/** Starts the services at the metadata address that the settings ask for. */
export function startMetadata(
  host: MetadataHost,
  settings: MetadataSettings,
  events: MetadataEvents,
): MetadataAgent {
  const { metadataUrl: url, metadataSecret: secret, guestIngress, guestProxyProtocol } = settings;
  const guestApi = new GuestApiProxy(guestIngress, guestProxyProtocol);
  const services = [new MetadataProxy({ url, secret }), guestApi];
  return MetadataAgent.start(host, services, events);
}
