/**
 * The terms of what a token of an application credential creates: never more than it has itself.
 * Pure. Public source: Keystone API reference, "Application Credentials"; on further application
 * credentials and trusts that outlive theirs, Keystone's source, `keystone/api/_shared/delegation.py`.
 */
import { pathMatches, type AccessRule } from '@cumulet/common/context/access-rules';
import { forbidden } from '@cumulet/common/errors/domain-error';
import type { ApplicationCredential } from './application-credential.resource.js';

/** The application credential whose token creates something. */
export type Maker = Pick<ApplicationCredential, 'id' | 'expiry' | 'hasRules'> & {
  readonly accessRules: readonly AccessRule[];
};

export class ExceedsMakerError extends forbidden(
  (maker: Pick<Maker, 'id'>, reason: string) =>
    `The application credential ${maker.id} cannot give more than it has: ${reason}.`,
) {}

/**
 * @param expiry null for the maker's own
 * @throws ExceedsMakerError for one later than the maker's
 */
export function expiryWithin(maker: Maker, expiry: string | null): string | null {
  if (maker.expiry === null) return expiry;
  if (expiry === null || expiry <= maker.expiry) return expiry ?? maker.expiry;
  throw new ExceedsMakerError(maker, `expires_at must not be later than its own, ${maker.expiry}`);
}

/**
 * A rule must be one of the maker's, or name a path without wildcards that one of those allows.
 * @throws ExceedsMakerError naming the rule that goes further
 */
export function refuseWiderRules(maker: Maker, rules: readonly AccessRule[]): void {
  if (!maker.hasRules) return;
  const wider = rules.find((rule) => !maker.accessRules.some((own) => covers(own, rule)));
  if (wider)
    throw new ExceedsMakerError(
      maker,
      `its own access rules do not allow ${wider.method} ${wider.path} of ${wider.service}`,
    );
}

function covers(own: AccessRule, { service, method, path }: AccessRule): boolean {
  if (own.service !== service || own.method !== method) return false;
  return own.path === path || (!/[*{}]/.test(path) && pathMatches(own.path, path));
}
