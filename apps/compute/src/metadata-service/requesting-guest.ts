/**
 * The guest that asks, as the network service's proxy states and signs. Public source: Networking
 * guide, "Metadata service"; neutron, `agent/metadata/proxy_base.py`.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isUuid } from '@cumulet/common/context/ids';
import {
  ForbiddenError,
  InvalidInputError,
  UnavailableError,
} from '@cumulet/common/errors/domain-error';

export interface RequestingGuest {
  readonly serverId: string;
  readonly projectId: string;
}

/**
 * @param secret shared with the proxy
 * @throws UnavailableError without a secret
 * @throws InvalidInputError for a request that did not come through the proxy
 * @throws ForbiddenError for one that the proxy has not signed
 */
export function requestingGuestOf(
  headers: IncomingHttpHeaders,
  secret: string | undefined,
): RequestingGuest {
  if (secret === undefined) throw new UnavailableError('This cloud has no metadata service.');
  const serverId = textOf(headers['x-instance-id']);
  const projectId = textOf(headers['x-tenant-id']);
  const signature = textOf(headers['x-instance-id-signature']);
  if (serverId === undefined)
    throw new InvalidInputError('X-Instance-ID header is missing from request.');
  if (projectId === undefined)
    throw new InvalidInputError('X-Tenant-ID header is missing from request.');
  const expected = createHmac('sha256', secret).update(serverId).digest();
  const given = Buffer.from(signature ?? '', 'hex');
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  if (!isSigned || !isUuid(serverId)) throw new ForbiddenError('Invalid proxy request signature.');
  return { serverId, projectId };
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
