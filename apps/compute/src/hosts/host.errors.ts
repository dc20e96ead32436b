/** Refusals about hosts, in Nova's words. Public source: nova, `exception.py`. */
import { notFound, invalid, conflict, errorOf } from '@cumulet/common/errors/domain-error';

export class ComputeHostNotFoundError extends notFound(
  (host: string) => `Compute host ${host} could not be found.`,
) {}

export class HostBinaryNotFoundError extends notFound(
  (host: string, binary: string) => `Could not find binary ${binary} on host ${host}.`,
) {}

export class NoComputeServiceError extends invalid(
  (binary: string) =>
    `Updating a ${binary} service is not supported. Only nova-compute services can be updated.`,
) {}

export class ServiceNotFoundError extends notFound(
  (id: string) => `Service ${id} could not be found.`,
) {}

export class ServiceInUseError extends conflict(
  'Unable to delete compute service that is hosting instances. Migrate or delete the instances first.',
) {}

export class HypervisorNotFoundError extends notFound(
  (id: string) => `Hypervisor with ID '${id}' could not be found.`,
) {}

export class NoHypervisorMatchesError extends notFound(
  (pattern: string) => `No hypervisor matching '${pattern}' could be found.`,
) {}

export class NotAUuidError extends invalid((id: string) => `Invalid uuid ${id}`) {}

/** @param id of its server */
export class HostAwayError extends errorOf(
  'unavailable',
  (id: string) => `The host of instance ${id} does not respond.`,
  { retryAfter: 5 },
) {}
