/** The routes of metadata definitions: everybody reads them, administrators write them. */
import type { Route } from '@cumulet/common/http/route-table';

const NAMESPACES = '/v2/metadefs/namespaces';
const ONE = `${NAMESPACES}/{namespace_name}`;

export const METADEF_ROUTES: readonly Omit<Route, 'handler'>[] = [
  ...routes(NAMESPACES, ['GET', 'POST']),
  ...routes(ONE, ['GET', 'PUT', 'DELETE']),
  ...routes(`${ONE}/objects`, ['GET', 'POST', 'DELETE']),
  ...routes(`${ONE}/objects/{object_name}`, ['GET', 'PUT', 'DELETE']),
  ...routes(`${ONE}/properties`, ['GET', 'POST', 'DELETE']),
  ...routes(`${ONE}/properties/{property_name}`, ['GET', 'PUT', 'DELETE']),
  ...routes(`${ONE}/tags`, ['GET', 'POST', 'DELETE']),
  ...routes(`${ONE}/tags/{tag_name}`, ['GET', 'POST', 'PUT', 'DELETE']),
  ...routes(`${ONE}/resource_types`, ['GET', 'POST']),
  ...routes(`${ONE}/resource_types/{name}`, ['DELETE']),
  ...routes('/v2/metadefs/resource_types', ['GET']),
  ...[
    ...['namespace', 'namespaces', 'object', 'objects', 'property', 'properties'],
    ...['resource_type', 'resource_types', 'tag', 'tags'],
  ].map((name) => ({
    method: 'GET',
    path: `/v2/schemas/metadefs/${name}`,
    access: { kind: 'authenticated' } as const,
  })),
];

function routes(path: string, methods: readonly string[]): Omit<Route, 'handler'>[] {
  return methods.map((method) => ({
    method,
    path,
    access: { kind: 'role', role: method === 'GET' ? 'reader' : 'admin' },
  }));
}
