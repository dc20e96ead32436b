/** Errors of secrets, besides invalid input. */
import { notFound, conflict, errorOf, invalid } from '@cumulet/common/errors/domain-error';
import { notFoundMessage } from '../http/refs.js';

/** Also for a secret that has expired, or is of another project. */
export class SecretNotFoundError extends notFound((id: string) =>
  notFoundMessage('secret', 'Secret', id),
) {}

export class NoPayloadError extends notFound((id: string) => `Secret ${id} has no payload.`) {}

export class PayloadExistsError extends conflict(
  (id: string) => `Secret ${id} has a payload already, which cannot be changed.`,
) {}

export class PayloadNotAcceptableError extends errorOf(
  'not-acceptable',
  (id: string, accept: string, own: string) =>
    `The payload of secret ${id} is not available as '${accept}'; it is ${own}.`,
) {}

/** 400, as in Barbican. */
export class SecretHasConsumersError extends invalid(
  (id: string) => `Secret ${id} has consumers; remove them first, or delete it with force=true.`,
) {}
