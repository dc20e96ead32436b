/** What can go wrong with secrets, in addition to malformed input. */
import { notFound, conflict, errorOf, invalid } from '@cumulet/common/errors/domain-error';
import { notFoundMessage } from '../http/refs.js';

/** It does not exist, has expired, or is another project's: the error does not say which. */
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
    `The payload of secret ${id} cannot be had as '${accept}'; it is ${own}.`,
) {}

/** 400, as in Barbican. */
export class SecretHasConsumersError extends invalid(
  (id: string) => `Secret ${id} has consumers; remove them first, or delete it with force=true.`,
) {}
