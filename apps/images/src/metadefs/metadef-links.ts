/** Addresses of metadata definitions, as their views name them. */

export const NAMESPACES_PATH = '/v2/metadefs/namespaces';

/** With the name as it is: a link in a body is nothing that a program has to parse. */
export function namespaceLink(namespace: string): string {
  return `${NAMESPACES_PATH}/${namespace}`;
}

export function objectLink(namespace: string, name: string): string {
  return `${namespaceLink(namespace)}/objects/${name}`;
}

/** A header carries neither every character nor a second path. */
export function namespaceLocation(baseUrl: string, namespace: string): string {
  const name = encodeURIComponent(namespace).replaceAll('%3A', ':');
  return `${baseUrl}${NAMESPACES_PATH}/${name}`;
}

export function schemaLink(name: string): string {
  return `/v2/schemas/metadefs/${name}`;
}
