/** Public source: octavia, `common/exceptions.py`. */
import { DomainError } from '@cumulet/common/errors/domain-error';

export class VIPValidationExceptionError extends DomainError {
  constructor() {
    const objects = 'vip_port_id, vip_network_id, vip_subnet_id';
    super('invalid', `Validation failure: VIP must contain one of: ${objects}.`);
  }
}

/** The network service would not give the address. */
export class VIPAddressConflictError extends DomainError {
  constructor(reason: string) {
    super('conflict', `The VIP IP address is already in use: ${reason}`);
  }
}
