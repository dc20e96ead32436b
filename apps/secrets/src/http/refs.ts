/** The addresses by which clients name secrets and containers. */
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
 * The id of the secret at an address of this service, in lower case and with dashes.
 * @throws InvalidInputError for any other address
 */
export function secretIdOf<Id extends string>({ baseUrl }: Addressed, ref: string): Id {
  const prefix = `${baseUrl}/v1/secrets/`;
  const id = ref.startsWith(prefix) ? ref.slice(prefix.length).replace(/\/$/, '') : '';
  if (isUuid(id)) return dashed(id) as Id;
  throw new InvalidInputError(
    `Invalid input: secret_ref '${ref}' is not the address of a secret of this service: ${prefix} and an id.`,
  );
}

/** Barbican's own are UUIDs of version 4; to anything else it says that it cannot be one. */
const OWN_ID = /^[\da-f]{8}-?[\da-f]{4}-?4[\da-f]{3}-?[89ab][\da-f]{3}-?[\da-f]{12}$/i;

/**
 * What is said where nothing has an id, in the words that clients look for. Public source: barbican,
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
