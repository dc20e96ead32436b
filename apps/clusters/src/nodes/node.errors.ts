import { forbidden, errorOf, notFound } from '@cumulet/common/errors/domain-error';

/** No node has this id, or its token is another: which of both is not told. */
export class NodeTokenError extends forbidden('The token is that of no such node.') {}

export class NodeTokenUsedError extends forbidden(
  'The token was used before, by another start of the node or by somebody else.',
) {}

export class NodeTokenExpiredError extends forbidden(
  (at: Date) => `The token has expired at ${at.toISOString()}, before it was used.`,
) {}

export class ForeignAddressError extends forbidden(
  (name: string, address: string) => `The address ${address} is not that of node ${name}.`,
) {}

/** Masters join one after the other. */
export class MasterJoinsFirstError extends errorOf(
  'unavailable',
  (name: string) => `Masters join one after the other; ${name} is not ready yet.`,
  { retryAfter: 5 },
) {}

/** Another master must be there first. */
export class ControlPlaneNotReadyError extends errorOf(
  'unavailable',
  (founder: string) => `The control plane begins with ${founder}, whose etcd is not up yet.`,
  { retryAfter: 5 },
) {}

export class UnknownNodeError extends notFound((id: string) => `Node ${id} could not be found.`) {}
