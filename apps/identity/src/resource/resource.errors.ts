import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
  notFound,
  conflict,
  invalid,
  forbidden,
} from '@cumulet/common/errors/domain-error';
import type { Extra } from './resource.dto.js';

/**
 * There is none of this kind with this id, or the caller may not know of it.
 * @param kind `registered limit`
 */
export class NotFoundError extends notFound(
  (kind: string, id: string) => `Could not find ${kind}: ${id}.`,
) {}

/**
 * The refusal of a row that refers to a missing resource.
 * @param property of the row, with the ID of that resource
 */
export function notFoundBy(kind: string, property = `${kind}Id`): (row: object) => NotFoundError {
  return (row) => new NotFoundError(kind, (row as Record<string, string | null>)[property] ?? '');
}

/** Another one stands where this one should. @param what `id 'North'` */
export class DuplicateError extends conflict(
  (kind: string, what: string) => `${withArticle(kind)} with the ${what} exists already.`,
) {}

export class InUseError extends ForbiddenError {}

export class DuplicateNameError extends DomainError {
  constructor(kind: string, { name = '', domainId }: { name?: string; domainId?: string | null }) {
    const place = domainId ? ` in the domain ${domainId}` : '';
    super('conflict', `${withArticle(kind)} with the name '${name}' exists already${place}.`);
  }
}

/** The resource's option `immutable` is set. */
export class ImmutableError extends forbidden(
  (kind: string, id: string) =>
    `Cannot change or delete the ${kind} ${id}: it is immutable. Set its option immutable to false first.`,
) {}

export class FixedPropertyError extends invalid(
  (property: string) => `Invalid input: ${property} cannot be changed once it is set.`,
) {}

/**
 * @param change the body; empty for a deletion
 * @throws ImmutableError unless the change is the one that makes the resource mutable
 */
export function refuseImmutable(
  kind: string,
  { id, options }: { readonly id: string; readonly options?: object },
  change: { readonly options?: object | null | undefined } = {},
): void {
  if (immutableIn(options) !== true) return;
  const keys = Object.entries(change).filter(([, value]) => value !== undefined);
  const wanted = immutableIn(change.options);
  if (keys.length !== 1 || (wanted !== false && wanted !== null))
    throw new ImmutableError(kind, id);
}

function immutableIn(options: object | null | undefined): unknown {
  return options && 'immutable' in options ? options.immutable : undefined;
}

function withArticle(kind: string): string {
  return `${/^[aeio]/.test(kind) ? 'An' : 'A'} ${kind}`;
}

export class OtherIdError extends invalid(
  (kind: string, id: string, named: string) =>
    `Invalid input: ${kind}.id '${named}' is not the id '${id}' of the path.`,
) {}

/** A body may repeat the ID in its path. @throws OtherIdError */
export function refuseOtherId(kind: string, id: string, named: string | null | undefined): void {
  if (named != null && named !== id) throw new OtherIdError(kind, id, named);
}

/** As in Keystone, a change must have a property. @throws InvalidInputError */
export function refuseEmpty(kind: string, change: { readonly extra?: Extra | undefined }): void {
  const { extra = {}, ...fields } = change;
  const named = [...Object.values(fields), ...Object.values(extra)];
  if (named.every((value) => value === undefined))
    throw new InvalidInputError(
      `Invalid input: ${kind} must have at least one property to change.`,
    );
}
