/** The base of identity's types. Public source: Identity API reference, v3. */
import type { SupportStatus } from '../../constraints/property-schema.js';
import type { RestApi } from '../rest-resource.js';

export function identityApi(entity: string, plural = `${entity}s`): RestApi {
  return { service: 'identity', collection: `/v3/${plural}`, entity };
}

export function sinceVersion(version: string): SupportStatus {
  return { status: 'SUPPORTED', version, message: 'Supported versions: keystone v3' };
}
