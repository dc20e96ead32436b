import { forbidden, errorOf, notFound } from '@cumulet/common/errors/domain-error';

/** The answer does not reveal whether the ID or the token is wrong. */
export class NodeTokenError extends forbidden('The node ID or its token is invalid.') {}

export class NodeTokenUsedError extends forbidden(
  'The token was used before, by another start of the node or by somebody else.',
) {}

export class NodeTokenExpiredError extends forbidden(
  (at: Date) => `The token has expired at ${at.toISOString()}, before it was used.`,
) {}

export class ForeignAddressError extends forbidden(
  (name: string, address: string) => `The address ${address} is not that of node ${name}.`,
) {}

export class MasterJoinsFirstError extends errorOf(
  'unavailable',
  (name: string) => `Masters join one after the other; ${name} is not ready yet.`,
  { retryAfter: 5 },
) {}

export class ControlPlaneNotReadyError extends errorOf(
  'unavailable',
  (founder: string) => `The control plane begins with ${founder}, whose etcd is not up yet.`,
  { retryAfter: 5 },
) {}

export class UnknownNodeError extends notFound((id: string) => `Node ${id} could not be found.`) {}
