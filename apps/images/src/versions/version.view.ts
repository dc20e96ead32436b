/**
 * The versions of the Image API that this service speaks. Public source: Image API reference,
 * "Image Service Versions". All are at one address. They are those of a Glance that names its stores
 * and has no cache: what a version added for the cache (2.14, 2.16) is how clients find out about it.
 */
const VERSIONS = [
  '2.18',
  '2.17',
  '2.15',
  '2.13',
  '2.12',
  '2.11',
  '2.10',
  '2.9',
  '2.8',
  '2.7',
  '2.6',
  '2.5',
  '2.4',
  '2.3',
  '2.2',
  '2.1',
  '2.0',
];

export interface VersionsView {
  readonly versions: readonly {
    readonly id: string;
    readonly status: 'CURRENT' | 'SUPPORTED';
    readonly links: readonly { readonly rel: 'self'; readonly href: string }[];
  }[];
}

export function versionsView(baseUrl: string): VersionsView {
  return {
    versions: VERSIONS.map((version, at) => ({
      id: `v${version}`,
      status: at === 0 ? 'CURRENT' : 'SUPPORTED',
      links: [{ rel: 'self', href: `${baseUrl}/v2/` }],
    })),
  };
}
