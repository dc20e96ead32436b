/** The URLs by which clients name secrets and containers. */
import { isUuid } from '@cumulet/common/context/ids';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';

interface Addressed {
  readonly baseUrl: string;
}

export function secretRef({ baseUrl }: Addressed, id: string): string {
  return `${baseUrl}/v1/secrets/${id}`;
}

export function containerRef({ baseUrl }: Addressed, id: string): string {
  return `${baseUrl}/v1/containers/${id}`;
}

/**
 * The ID in the URL of a secret of this service, in lower case and with dashes.
 * @throws InvalidInputError for any other URL
 */
export function secretIdOf<Id extends string>({ baseUrl }: Addressed, ref: string): Id {
  const prefix = `${baseUrl}/v1/secrets/`;
  const id = ref.startsWith(prefix) ? ref.slice(prefix.length).replace(/\/$/, '') : '';
  if (isUuid(id)) return dashed(id) as Id;
  throw new InvalidInputError(
    `Invalid input: secret_ref '${ref}' is not the URL of a secret of this service: ${prefix} and an ID.`,
  );
}

/** Barbican's IDs are UUIDs of version 4; it calls others invalid. */
const OWN_ID = /^[\da-f]{8}-?[\da-f]{4}-?4[\da-f]{3}-?[89ab][\da-f]{3}-?[\da-f]{12}$/i;

/**
 * The message for an unknown ID, in the words that clients match. Public source: Barbican's source,
 * `api/controllers/secrets.py`, `containers.py`.
 * @param kind `secret`
 * @param name as messages begin with it: `Secret`
 */
export function notFoundMessage(kind: string, name: string, id: string): string {
  return OWN_ID.test(id)
    ? `${name} not found. There is no ${kind} ${id}.`
    : `Not Found. Provided ${kind} id is invalid. There is no ${kind} '${id}'.`;
}

function dashed(id: string): string {
  const digits = id.replaceAll('-', '').toLowerCase();
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
