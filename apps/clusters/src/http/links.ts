import { Shown } from '@cumulet/common/http/shown';

/** Public source: Container Infrastructure Management API reference, `links`. */
export class Link {
  @Shown(String, 'The relation: self, or bookmark for the URL without the API version.')
  rel: string;

  @Shown(String, 'The URL.')
  href: string;
}

/** @param path below `/v1`: `clusters/{uuid}` */
export function linksTo({ baseUrl }: { readonly baseUrl: string }, path: string): Link[] {
  return [
    { rel: 'self', href: `${baseUrl}/v1/${path}` },
    { rel: 'bookmark', href: `${baseUrl}/${path}` },
  ];
}
