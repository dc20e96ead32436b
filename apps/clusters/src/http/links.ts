import { Shown } from '@cumulet/common/http/shown';

/** Public source: Container Infrastructure Management API reference, `links`. */
export class Link {
  @Shown(String, 'What it leads to: self, or the same without the version of the API.')
  rel: string;

  @Shown(String, 'The address.')
  href: string;
}

/** @param path below the API's version: `clusters/{uuid}` */
export function linksTo({ baseUrl }: { readonly baseUrl: string }, path: string): Link[] {
  return [
    { rel: 'self', href: `${baseUrl}/v1/${path}` },
    { rel: 'bookmark', href: `${baseUrl}/${path}` },
  ];
}
