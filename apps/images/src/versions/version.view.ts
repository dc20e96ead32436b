/**
 * The versions of the Image API that this service speaks. Public source: Image API reference,
 * "Image Service Versions". All are at one address. They are those of a Glance with one store and
 * no cache: what a version added for several stores (2.8, 2.10, 2.11, 2.13) or for the cache (2.14,
 * 2.16, 2.18) is how clients find out about it. By 2.12 they know that an image tells its tasks.
 */
const VERSIONS = [
  '2.17',
  '2.15',
  '2.12',
  '2.9',
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
