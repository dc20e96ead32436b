/** Version documents. Public source: Nova API reference, "API Versions". */
import { COMPUTE_VERSIONS } from './microversions.js';

export function versionView(baseUrl: string): object {
  return {
    id: 'v2.1',
    status: 'CURRENT',
    version: COMPUTE_VERSIONS.max.toString(),
    min_version: COMPUTE_VERSIONS.min.toString(),
    updated: '2013-07-23T11:33:21Z',
    links: [{ rel: 'self', href: `${baseUrl}/v2.1/` }],
  };
}

export function versionDetailView(baseUrl: string): object {
  return {
    ...versionView(baseUrl),
    'media-types': [
      { base: 'application/json', type: 'application/vnd.openstack.compute+json;version=2.1' },
    ],
  };
}
