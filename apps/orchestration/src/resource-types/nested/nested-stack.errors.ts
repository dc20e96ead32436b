import { UnavailableError } from '@cumulet/common/errors/domain-error';

/** Another action has just begun: asked again, it is seen as that leaves it. */
export class StackBusyError extends UnavailableError {
  constructor() {
    super('Another action of the stack below has just begun.');
  }
}
