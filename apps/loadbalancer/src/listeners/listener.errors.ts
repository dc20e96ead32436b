/** Public source: octavia, `common/exceptions.py`. */
import { DomainError } from '@cumulet/common/errors/domain-error';

/** UDP, SCTP and everything on TCP have ports of their own. */
export class DuplicateListenerEntryError extends DomainError {
  constructor(protocol: string, port: number) {
    super(
      'conflict',
      `Another Listener on this Load Balancer is already using protocol ${protocol} and protocol_port ${port}`,
    );
  }
}
