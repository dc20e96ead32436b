/** All errors about servers. */
import { DomainError, notFound, conflict, invalid } from '@cumulet/common/errors/domain-error';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';
import type { TriedHost } from './server.entity.js';

export class ServerNotFoundError extends notFound(
  (id: string) => `Instance ${id} could not be found.`,
) {}

export class ZonePinConflictError extends conflict(
  (id: string, zone: string) =>
    `Cannot pin instance ${id} to the availability zone ${zone.slice(0, 255)}: the server is pinned to another zone, or is not in this one.`,
) {}

export class MetadataItemNotFoundError extends notFound('Metadata item was not found') {}

export class ServerTagNotFoundError extends notFound(
  (id: string, tag: string) => `Server ${id} has no tag '${tag}'`,
) {}

export class ServerStateConflictError extends conflict(
  (action: string, id: string, attribute: 'vm_state' | 'task_state', value: string) =>
    `Cannot '${action}' instance ${id} while it is in ${attribute} ${value}`,
) {}

export class ServerLockedError extends conflict((id: string) => `Instance ${id} is locked`) {}

/** No host has anything of the server. */
export class ServerNeverPlacedError extends conflict(
  (action: string, id: string) =>
    `Cannot '${action}' instance ${id}: it was never placed on a host. Delete it and create it anew.`,
) {}

export class ImageUnusableError extends invalid(
  (imageId: string, why: string) => `Image ${imageId} cannot be used: ${why}.`,
) {}

export class FlavorUnusableError extends invalid((message: string) => message) {}

export class HostDownError extends conflict('Service is unavailable at this time.') {}

/** The last host that was tried could not build the server either. */
export class BuildFailedError extends DomainError {
  constructor(last: DomainError, tried: readonly TriedHost[]) {
    super('conflict', [last.message, ...triesOf(tried)].join(''), {
      cause: last,
      forOperator: last.forOperator,
    });
  }
}

function triesOf(tried: readonly TriedHost[]): string[] {
  return tried.map(({ host, reason }) => ` Its build failed on ${host}: ${reason}`);
}

/** The message says how many hosts each filter refused, and where builds failed before. */
export class NoValidHostError extends conflict(
  (refusal: string, tried: readonly TriedHost[] = []) => [refusal, ...triesOf(tried)].join(''),
) {}

/** The hypervisor cannot do it now, and may later. */
export class GuestNotNowError extends DomainError {
  constructor(message: string, cause: unknown) {
    super('transient', message, { cause });
  }
}

/** The hypervisor can never do it, because of the image or the host's limits. */
export class GuestImpossibleError extends DomainError {
  constructor(message: string, cause: unknown, options: { readonly forOperator: boolean }) {
    super('conflict', message, { cause, ...options });
  }
}

export class PortGivenTwiceError extends invalid(
  (id: string) => `Port ID '${id}' was specified twice: you cannot attach a port multiple times.`,
) {}

export class FixedIpWithPortError extends invalid(
  (address: string, portId: string) =>
    `Specified Fixed IP '${address}' cannot be used with port '${portId}': the two cannot be specified together.`,
) {}

/** Several servers cannot share a port or an address. */
export class NotForSeveralServersError extends invalid(
  (reason: string) => `Failed to launch instances: ${reason}`,
) {}

export class NotAMemberOfNetworkError extends notFound(
  'Instance is not a member of specified network',
) {}

/**
 * Turns a driver's error into the domain's: whether to retry, and the owner's message.
 * @throws GuestNotNowError or GuestImpossibleError in place of a HypervisorError
 */
export async function onHypervisor<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof HypervisorError ? translated(error) : error;
  }
}

function translated(error: HypervisorError): Error {
  switch (error.kind) {
    case 'transient':
      return new GuestNotNowError(error.message, error);
    case 'bad-image':
      return new GuestImpossibleError(error.message, error, { forOperator: false });
    case 'capacity':
    case 'missing-program':
    case 'not-ready':
      return new GuestImpossibleError(error.message, error, { forOperator: true });
    case 'bug':
      return error;
  }
}
