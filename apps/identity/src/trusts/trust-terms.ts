/**
 * The terms of a new trust, also of one that redelegates another. Pure. Public sources: Keystone API
 * reference, "OS-TRUST", "Create trust"; Keystone user guide, "Use trusts"; Keystone configuration
 * reference, `[trust]`.
 */
import { asId } from '@cumulet/common/context/ids';
import { InvalidInputError, notFound, forbidden } from '@cumulet/common/errors/domain-error';
import {
  ExceedsMakerError,
  expiryWithin,
  type Maker,
} from '../application-credentials/delegated-terms.js';
import { readExpiry } from '../http/timestamp.js';
import type { CreateTrustDto, Trust } from './trust.resource.js';

const MAX_REDELEGATIONS = 3;

export class RedelegationError extends forbidden(
  (reason: string) => `Cannot create the trust: ${reason}.`,
) {}

export class TrustRoleNotFoundError extends notFound(
  (role: string, projectId: string) =>
    `Could not find role: ${role}. The trustor has no such role on the project ${projectId}.`,
) {}

type Terms = 'projectId' | 'impersonation' | 'expiry' | 'redelegationCount';

export type TrustTerms = Readonly<Pick<Trust, Terms | 'remainingUses' | 'applicationCredentialId'>>;

/** The trust behind the caller's token, which the new one redelegates. */
export interface PassedTrust extends Pick<Trust, 'id' | Terms> {
  readonly isChainEnabled: boolean;
}

/**
 * @param passed undefined for a trust of the caller's own roles
 * @throws InvalidInputError for terms that contradict each other
 * @throws RedelegationError for more than the redelegated trust gives
 */
export function trustTerms(wanted: CreateTrustDto, passed?: PassedTrust): TrustTerms {
  const named = wanted.redelegated_trust_id ?? undefined;
  if (named !== undefined && named !== passed?.id) {
    throw new InvalidInputError(
      `Invalid input: redelegated_trust_id '${named}' is not the trust of the token.`,
    );
  }
  const terms: TrustTerms = {
    projectId: wanted.project_id == null ? null : asId(wanted.project_id),
    impersonation: wanted.impersonation,
    expiry: readExpiry(wanted.expires_at) ?? passed?.expiry ?? null,
    remainingUses: wanted.remaining_uses ?? null,
    redelegationCount: redelegationCount(wanted, passed),
    applicationCredentialId: null,
  };
  if (passed) refuseMore(terms, passed);
  return terms;
}

/**
 * The terms of a trust that a token of an application credential gives to a user, who could use it
 * after the credential has ended, and for other requests.
 * @throws ExceedsMakerError
 */
export function boundTo(maker: Maker, terms: TrustTerms): TrustTerms {
  if (maker.hasRules)
    throw new ExceedsMakerError(
      maker,
      'its access rules would not limit a trust that it gives to a user',
    );
  const expiry = expiryWithin(maker, terms.expiry);
  return { ...terms, expiry, applicationCredentialId: maker.id };
}

function redelegationCount(wanted: CreateTrustDto, passed: PassedTrust | undefined): number {
  const count = wanted.redelegation_count ?? undefined;
  if (wanted.allow_redelegation !== true || count === 0) return 0;
  if (typeof wanted.remaining_uses === 'number') {
    throw new InvalidInputError(
      'Invalid input: remaining_uses must not be set if redelegation is allowed.',
    );
  }
  const max = passed ? Math.max(passed.redelegationCount - 1, 0) : MAX_REDELEGATIONS;
  if (count !== undefined && (passed ? count !== max : count > max)) {
    throw new RedelegationError(
      `redelegation_count must be ${passed ? '' : 'at most '}${max}, not ${count}`,
    );
  }
  return count ?? max;
}

function refuseMore(terms: TrustTerms, passed: PassedTrust): void {
  const reasons: readonly (readonly [refused: boolean, reason: string])[] = [
    [!passed.isChainEnabled, 'a user in the chain of trusts is disabled'],
    [passed.redelegationCount < 1, `the trust ${passed.id} may not be redelegated`],
    [terms.remainingUses !== null, 'remaining_uses must not be set when a trust is redelegated'],
    [
      terms.projectId !== passed.projectId,
      `project_id must be that of the redelegated trust, ${passed.projectId ?? 'none'}`,
    ],
    [
      passed.expiry !== null && (terms.expiry === null || terms.expiry > passed.expiry),
      `expires_at must not be later than that of the redelegated trust, ${passed.expiry ?? ''}`,
    ],
    [
      terms.impersonation && !passed.impersonation,
      `the trust ${passed.id} does not allow impersonation`,
    ],
  ];
  const found = reasons.find(([refused]) => refused);
  if (found) throw new RedelegationError(found[1]);
}
