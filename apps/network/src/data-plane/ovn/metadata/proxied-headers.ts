/**
 * What of a guest's request goes to compute, and what is said there of who asks. Public sources:
 * neutron, `agent/metadata/proxy_base.py` and `sign_instance_id` in `common/utils.py`; RFC 9110,
 * section 7.6.1.
 */
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Asker } from './network-server.js';

/** What is between two ends of one connection alone. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
];

/** A guest says nothing of who it is, by whatever name. */
const SAID_HERE = /^(x-.*|forwarded|host|authorization|cookie)$/;

export function requestHeaders(
  headers: IncomingHttpHeaders,
  asker: Asker,
  secret: string,
): OutgoingHttpHeaders {
  const own = Object.entries(endToEnd(headers)).filter(([name]) => !SAID_HERE.test(name));
  return {
    ...Object.fromEntries(own),
    'x-forwarded-for': asker.address,
    'x-instance-id': asker.deviceId,
    'x-tenant-id': asker.projectId,
    'x-instance-id-signature': createHmac('sha256', secret).update(asker.deviceId).digest('hex'),
  };
}

export function responseHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return endToEnd(headers);
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((one) => one.trim().toLowerCase());
  const dropped = new Set([...HOP_BY_HOP, ...named]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}
