/**
 * Which methods together are enough for a user. Public source: Keystone administrator guide,
 * "Multi-Factor Authentication", and the API reference, "Multi-Step authentication".
 */
import type { UserOptions } from '../users/user.entity.js';
import { AUTH_METHODS } from './token.js';

type Rule = readonly string[];

/**
 * @param methods those that the user has shown, receipts and tokens included
 * @returns undefined where they are enough; else the rules that name at least one of them, which the
 *   client may go on with
 */
export function unmetRules(
  { multi_factor_auth_rules: rules = [], multi_factor_auth_enabled: enabled = true }: UserOptions,
  methods: readonly string[],
): Rule[] | undefined {
  // A method that is not offered cannot be asked for: a rule must not shut its user out.
  const offered = rules
    .map((rule) => rule.filter((name) => (AUTH_METHODS as Rule).includes(name)))
    .filter((rule) => rule.length > 0);
  if (!enabled || offered.length === 0) return undefined;
  if (offered.some((rule) => rule.every((name) => methods.includes(name)))) return undefined;
  return offered.filter((rule) => rule.some((name) => methods.includes(name)));
}
