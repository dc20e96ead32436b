/**
 * What a new trust gives, and whether the trust that its maker acts by lets this be passed on.
 * Pure. Public sources: Keystone API reference, "OS-TRUST", "Create trust"; Keystone user guide,
 * "Use trusts"; Keystone configuration reference, `[trust]`.
 */
import { asId } from '@cumulet/common/context/ids';
import { ForbiddenError, InvalidInputError, notFound } from '@cumulet/common/errors/domain-error';
import {
  ExceedsMakerError,
  expiryWithin,
  type Maker,
} from '../application-credentials/delegated-terms.js';
import { readExpiry } from '../http/timestamp.js';
import type { CreateTrustDto, Trust } from './trust.resource.js';

const MAX_REDELEGATIONS = 3;

/** A caller that itself acts by delegation passes on no more than it was given. */
export class RedelegationError extends ForbiddenError {
  constructor(reason: string) {
    super(`The trust cannot be made: ${reason}.`);
  }
}

/** A trust gives no role that its trustor does not have on the project. */
export class TrustRoleNotFoundError extends notFound(
  (role: string, projectId: string) =>
    `Could not find role: ${role}. The trustor has no such role on the project ${projectId}.`,
) {}

type Terms = 'projectId' | 'impersonation' | 'expiry' | 'redelegationCount';

export type TrustTerms = Readonly<Pick<Trust, Terms | 'remainingUses' | 'applicationCredentialId'>>;

/** The trust that is passed on: its trustee makes another with its token. */
export interface PassedTrust extends Pick<Trust, 'id' | Terms> {
  /** Whether everybody in the chain of trusts is enabled. */
  readonly isChainEnabled: boolean;
}

/**
 * @param passed undefined for a trust of the caller's own roles
 * @throws InvalidInputError for terms that contradict each other
 * @throws RedelegationError for more than the trust that is passed on gives
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
 * The terms of a trust that is given to a user by a token of an application credential: the user could
 * use it again after that has ended, and for what that may not ask for.
 * @throws ExceedsMakerError
 */
export function boundTo(maker: Maker, terms: TrustTerms): TrustTerms {
  if (maker.hasRules)
    throw new ExceedsMakerError(
      maker,
      'it is limited to requests by its access rules, and a trust to a user knows none',
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
      `redelegation_count ${count} is not ${passed ? '' : 'at most '}${max}`,
    );
  }
  return count ?? max;
}

function refuseMore(terms: TrustTerms, passed: PassedTrust): void {
  const reasons: readonly (readonly [refused: boolean, reason: string])[] = [
    [!passed.isChainEnabled, 'a user who has a part in the chain of trusts is disabled'],
    [passed.redelegationCount < 1, `the trust ${passed.id} may not be passed on`],
    [terms.remainingUses !== null, 'remaining_uses must not be set in order to pass a trust on'],
    [
      terms.projectId !== passed.projectId,
      `project_id must be that of the trust that is passed on, ${passed.projectId ?? 'none'}`,
    ],
    [
      passed.expiry !== null && (terms.expiry === null || terms.expiry > passed.expiry),
      `expires_at is later than ${passed.expiry ?? ''}, that of the trust that is passed on`,
    ],
    [
      terms.impersonation && !passed.impersonation,
      `the trust ${passed.id} does not allow impersonation`,
    ],
  ];
  const found = reasons.find(([refused]) => refused);
  if (found) throw new RedelegationError(found[1]);
}
