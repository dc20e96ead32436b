/** Errors on their way from a thread: those of the domain arrive with their class and fields. */
import { DomainError, type ErrorKind } from '@cumulet/common/errors/domain-error';
import { PropertyError } from '../constraints/property.errors.js';
import type { HiddenValues } from './parameters/hidden-values.js';
import * as templateErrors from './template.errors.js';

export interface CarriedError {
  readonly name: string;
  readonly kind: ErrorKind;
  readonly message: string;
  /** Its own fields of plain data, such as `path` and `keys`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const CLASSES: readonly (new (...args: never[]) => DomainError)[] = [
  ...Object.values(templateErrors),
  PropertyError,
];

export function carriedError(error: DomainError): CarriedError {
  const { name, kind, message } = error;
  const fields = Object.entries(error).filter(([, value]) => isPlain(value));
  return { name, kind, message, fields: Object.fromEntries(fields) };
}

/** Restores the error, with the stack trace of the caller. */
export function arrivedError({ name, kind, message, fields }: CarriedError): DomainError {
  const error = new DomainError(kind, message);
  const known = CLASSES.find((one) => one.name === name);
  if (known) Object.setPrototypeOf(error, known.prototype as object);
  return Object.assign(error, fields, { name });
}

function isPlain(value: unknown): boolean {
  return (
    ['string', 'number', 'boolean', 'undefined'].includes(typeof value) || Array.isArray(value)
  );
}

/** Removes the values of hidden parameters from an error. */
export function errorWithout(error: DomainError, hidden: HiddenValues): DomainError {
  const { message, fields, ...rest } = carriedError(error);
  const said = Object.entries(fields).map(([name, value]): [string, unknown] => [
    name,
    typeof value === 'string' ? hidden.without(value) : value,
  ]);
  return arrivedError({
    ...rest,
    message: hidden.without(message),
    fields: Object.fromEntries(said),
  });
}
