import { DomainError } from '@cumulet/common/errors/domain-error';

/** A port came before its network, which is on its way. */
export class NetworkNotThereError extends DomainError {
  constructor(networkId: string) {
    super('transient', `The data plane does not have the network ${networkId} yet.`);
  }
}

/** A network went before its ports. */
export class NetworkHasPortsError extends DomainError {
  constructor(networkId: string) {
    super('transient', `The data plane still has ports of the network ${networkId}.`);
  }
}
