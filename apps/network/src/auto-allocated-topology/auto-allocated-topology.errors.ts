import { conflict, notFound } from '@cumulet/common/errors/domain-error';

/** The cloud lacks a default pool or external network, which the operator has to configure. */
export class AutoAllocationFailureError extends conflict(
  (reason: string) => `Deployment error: ${reason}.`,
) {}

/** The topology is another project's; Neutron answers 404 here rather than 403. */
export class HTTPNotFoundError extends notFound('The resource could not be found.') {}
