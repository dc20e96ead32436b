import { notFound, conflict, invalid } from '@cumulet/common/errors/domain-error';

export class AddressScopeNotFoundError extends notFound(
  (id: unknown) => `Address scope ${String(id)} could not be found.`,
) {}

export class AddressScopeInUseError extends conflict(
  (id: string) =>
    `Unable to complete operation on address scope ${id}. There are one or more subnet pools in use on the address scope.`,
) {}

export class AddressScopeUpdateError extends invalid(
  (id: string, reason: string) => `Unable to update address scope ${id} : ${reason}.`,
) {}

export class NetworkAddressScopeAffinityError extends invalid(
  'Subnets of the same address family hosted on the same network must all participate in the same address scope.',
) {}
