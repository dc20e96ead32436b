/** What Tempest must know of a cloud's network, and only the cloud can tell. */
import type { CloudEntry } from './cloud-entry.js';
import type { TempestConf } from './tempest.js';

interface Token {
  readonly catalog: readonly {
    readonly type: string;
    readonly endpoints: readonly { readonly interface: string; readonly url: string }[];
  }[];
}

/** @param entry of a user who sees the external network */
export async function networkConf({ auth }: CloudEntry): Promise<TempestConf> {
  const domain = { id: 'default' };
  const { username: name, password, project_name: project } = auth;
  const response = await fetch(`${auth['auth_url']}/auth/tokens`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      auth: {
        identity: { methods: ['password'], password: { user: { name, domain, password } } },
        scope: { project: { name: project, domain } },
      },
    }),
  });
  const { token } = (await response.json()) as { token: Token };
  const service = token.catalog.find(({ type }) => type === 'network');
  const url = service?.endpoints.find((endpoint) => endpoint.interface === 'public')?.url ?? '';
  const headers = { 'X-Auth-Token': response.headers.get('X-Subject-Token') ?? '' };
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${url}/v2.0/${path}`, { headers })).json()) as T;
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
