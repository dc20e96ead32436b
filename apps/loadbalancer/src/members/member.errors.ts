/** Public source: octavia, `common/exceptions.py`. */
import { DomainError } from '@cumulet/common/errors/domain-error';

export class DuplicateMemberEntryError extends DomainError {
  constructor(address: string, port: number) {
    super(
      'conflict',
      `Another member on this pool is already using ip ${address} on protocol_port ${port}`,
    );
  }
}

export class MemberSRIOVDisabledError extends DomainError {
  constructor() {
    super('invalid', 'The load balancer flavor does not allow SR-IOV member ports.');
  }
}
