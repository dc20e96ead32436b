import { DomainError } from '@cumulet/common/errors/domain-error';

/** No node has this id, or its token is another: which of both is not told. */
export class NodeTokenError extends DomainError {
  constructor() {
    super('forbidden', 'The token is that of no such node.');
  }
}

export class NodeTokenUsedError extends DomainError {
  constructor() {
    super(
      'forbidden',
      'The token was used before, by another start of the node or by somebody else.',
    );
  }
}

export class NodeTokenExpiredError extends DomainError {
  constructor(at: Date) {
    super('forbidden', `The token has expired at ${at.toISOString()}, before it was used.`);
  }
}

export class ForeignAddressError extends DomainError {
  constructor(name: string, address: string) {
    super('forbidden', `The address ${address} is not that of node ${name}.`);
  }
}

/** Masters join one after the other. */
export class MasterJoinsFirstError extends DomainError {
  constructor(name: string) {
    super('unavailable', `Masters join one after the other; ${name} is not ready yet.`, {
      retryAfter: 5,
    });
  }
}

/** Another master must be there first. */
export class ControlPlaneNotReadyError extends DomainError {
  constructor(founder: string) {
    super('unavailable', `The control plane begins with ${founder}, whose etcd is not up yet.`, {
      retryAfter: 5,
    });
  }
}

export class UnknownNodeError extends DomainError {
  constructor(id: string) {
    super('not-found', `Node ${id} could not be found.`);
  }
}
