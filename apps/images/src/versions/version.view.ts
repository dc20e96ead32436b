/**
 * The versions of the Image API that this service speaks. Public source: Image API reference,
 * "Image Service Versions". Each is told by what it added, and all are at one address; those that
 * only added imports (2.6) or several stores (2.8) are not among them.
 */
const VERSIONS = ['2.9', '2.7', '2.5', '2.4', '2.3', '2.2', '2.1', '2.0'];

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
