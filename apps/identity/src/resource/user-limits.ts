/**
 * How much of a kind a user may have, which triggers hold (`database/migrations`). Public source:
 * Keystone, `[credential] user_limit` and `[application_credential] user_limit`, which it leaves open;
 * `CredentialLimitExceeded` in `exception.py`.
 */
import { ForbiddenError } from '@cumulet/common/errors/domain-error';

const USER_LIMITS: Readonly<Record<string, { readonly table: string; readonly max: number }>> = {
  'access rule': { table: 'access_rules', max: 10_000 },
  'application credential': { table: 'application_credentials', max: 1_000 },
  credential: { table: 'credentials', max: 1_000 },
  trust: { table: 'trusts', max: 10_000 },
};

/** The refusal of one more, by the name under which its trigger refuses it. */
export function refusedByLimit(kind: string): Readonly<Record<string, () => ForbiddenError>> {
  const limit = USER_LIMITS[kind];
  if (!limit) return {};
  const { table, max } = limit;
  const message = `Unable to create additional ${kind}s: the user has the maximum of ${max} already.`;
  return { [`${table}_user_limit`]: () => new ForbiddenError(message) };
}
