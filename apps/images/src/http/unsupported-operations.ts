/**
 * Operations of Glance's API that this service does not offer: metadata definitions, a cache (data
 * is read from the store itself), locations (there is one store, and it is nobody else's), and
 * tasks that a client makes (an import makes its own). Public source: Image API reference.
 */
import { operationsOf, type UnsupportedGroup } from '@cumulet/common/http/unsupported-operations';

const GROUPS: readonly UnsupportedGroup[] = [
  {
    of: 'Locations',
    under: '/v2/images/{image_id}/locations',
    operations: {
      'POST ': 'add a location',
      'GET ': 'list locations',
    },
  },
  {
    of: 'Image cache',
    under: '/v2/cache',
    operations: {
      'GET ': 'show',
      'DELETE ': 'clear',
      'PUT /{image_id}': 'queue an image',
      'DELETE /{image_id}': 'remove an image',
      'GET /nodes/{image_id}': 'list the nodes of an image',
      'POST /clean': 'remove what is invalid',
      'POST /prune': 'shrink to its size',
    },
  },
  {
    of: 'Tasks',
    under: '/v2/tasks',
    operations: {
      'POST ': 'create a task',
    },
  },
  {
    of: 'Metadata definitions',
    under: '/v2/metadefs/namespaces',
    operations: {
      'POST ': 'create a namespace',
      'GET ': 'list namespaces',
      'GET /{namespace_name}': 'show a namespace',
      'PUT /{namespace_name}': 'change a namespace',
      'DELETE /{namespace_name}': 'delete a namespace',
      'POST /{namespace_name}/objects': 'create an object',
      'GET /{namespace_name}/objects': 'list objects',
      'DELETE /{namespace_name}/objects': 'delete all objects',
      'GET /{namespace_name}/objects/{object_name}': 'show an object',
      'PUT /{namespace_name}/objects/{object_name}': 'change an object',
      'DELETE /{namespace_name}/objects/{object_name}': 'delete an object',
      'POST /{namespace_name}/properties': 'create a property',
      'GET /{namespace_name}/properties': 'list properties',
      'DELETE /{namespace_name}/properties': 'delete all properties',
      'GET /{namespace_name}/properties/{property_name}': 'show a property',
      'PUT /{namespace_name}/properties/{property_name}': 'change a property',
      'DELETE /{namespace_name}/properties/{property_name}': 'delete a property',
      'POST /{namespace_name}/tags': 'create tags',
      'GET /{namespace_name}/tags': 'list tags',
      'DELETE /{namespace_name}/tags': 'delete all tags',
      'POST /{namespace_name}/tags/{tag_name}': 'create a tag',
      'GET /{namespace_name}/tags/{tag_name}': 'show a tag',
      'PUT /{namespace_name}/tags/{tag_name}': 'change a tag',
      'DELETE /{namespace_name}/tags/{tag_name}': 'delete a tag',
      'POST /{namespace_name}/resource_types': 'add a resource type',
      'GET /{namespace_name}/resource_types': 'list the resource types of a namespace',
      'DELETE /{namespace_name}/resource_types/{name}': 'remove a resource type',
    },
  },
  {
    of: 'Metadata definitions',
    under: '/v2/metadefs/resource_types',
    operations: {
      'GET ': 'list resource types',
    },
  },
  {
    of: 'Schemas of metadata definitions',
    under: '/v2/schemas/metadefs',
    operations: {
      'GET /namespace': 'show that of a namespace',
      'GET /namespaces': 'show that of namespaces',
      'GET /object': 'show that of an object',
      'GET /objects': 'show that of objects',
      'GET /property': 'show that of a property',
      'GET /properties': 'show that of properties',
      'GET /resource_type': 'show that of a resource type',
      'GET /resource_types': 'show that of resource types',
      'GET /tag': 'show that of a tag',
      'GET /tags': 'show that of tags',
    },
  },
];

export const UNSUPPORTED_OPERATIONS = operationsOf(GROUPS);
