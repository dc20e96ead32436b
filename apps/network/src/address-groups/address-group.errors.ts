import { notFound, conflict, invalid } from '@cumulet/common/errors/domain-error';

export class AddressGroupNotFoundError extends notFound(
  (id: unknown) => `Address group ${String(id)} could not be found.`,
) {}

export class AddressGroupInUseError extends conflict(
  (id: string) => `Address group ${id} is in use on one or more security group rules.`,
) {}

export class AddressesNotFoundError extends notFound(
  (addresses: readonly string[], id: string) =>
    `Addresses ${addresses.join(', ')} not found in the address group ${id}.`,
) {}

export class AddressesAlreadyExistError extends invalid(
  (addresses: readonly string[], id: string) =>
    `Addresses ${addresses.join(', ')} already exist in the address group ${id}.`,
) {}
