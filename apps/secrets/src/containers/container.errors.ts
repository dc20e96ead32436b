/** Errors of containers, besides invalid input. */
import { notFound, conflict, invalid } from '@cumulet/common/errors/domain-error';
import { notFoundMessage } from '../http/refs.js';

/** Also for a container of another project. */
export class ContainerNotFoundError extends notFound((id: string) =>
  notFoundMessage('container', 'Secrets container', id),
) {}

/** Containers have secrets of their own project only. */
export class ContainedSecretNotFoundError extends notFound(
  (name: string, id: string) => `Secret ${id}, given as '${name}', not found.`,
) {}

export class NotInContainerError extends notFound(
  (id: string, name: string, secretId: string) =>
    `Container ${id} does not have secret ${secretId} as '${name}'.`,
) {}

export class NameTakenError extends conflict(
  (id: string, name: string) => `Container ${id} has a secret as '${name}' already.`,
) {}

/** 400, as in Barbican. */
export class ContainerFixedError extends invalid(
  (id: string, type: string) =>
    `Only generic containers can be changed; container ${id} is of type ${type}.`,
) {}
