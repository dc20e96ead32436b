/** What Tempest must know of a cloud's network, and only the cloud can tell. */
import type { CatalogSession } from './catalog-session.js';
import type { TempestConf } from './tempest.js';

/** @param session of a user who sees the external network */
export async function networkConf(session: CatalogSession): Promise<TempestConf> {
  const get = async <T>(path: string): Promise<T> =>
    (await (await session.send('network', `/v2.0/${path}`)).json()) as T;
  const { networks } = await get<{ networks: { id: string }[] }>('networks?is_default=true');
  const { extensions } = await get<{ extensions: { alias: string }[] }>('extensions');
  return {
    network: { public_network_id: networks[0]?.id ?? '', floating_network_name: 'public' },
    'network-feature-enabled': {
      ipv6_subnet_attributes: 'True',
      api_extensions: extensions.map(({ alias }) => alias).join(','),
    },
  };
}
