/**
 * Receipts: the proofs so far of a user who must prove more. Public source: Keystone API reference,
 * "Multi-Step authentication", and the administrator guide, "Multi-Factor Authentication".
 *
 * Always holds: a receipt is encrypted under the configured key and names its kind, so that no other
 * encrypted text passes for one; revoking the user's tokens revokes its receipts.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { IdentityConfig } from '../config.js';
import { revocationEvents } from '../revocations/revocation.repository.js';
import type { UserOptions } from '../users/user.options.js';
import type { Account } from '../users/user.repository.js';
import type { Identified } from './auth-request.js';
import { isAuthMethod } from './token.js';

/** Seconds in which a client must prove the rest, as in Keystone. */
const MAX_LIFETIME = 300;
const KIND = 'auth-receipt';

export interface Receipt {
  readonly account: Account;
  readonly methods: readonly string[];
  /** Each a sufficient set of methods that includes the receipt's own. */
  readonly requiredMethods: readonly (readonly string[])[];
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** The client sends it as `Openstack-Auth-Receipt`. */
  readonly sealed: string;
}

interface Content extends Pick<Receipt, 'methods' | 'issuedAt' | 'expiresAt'> {
  readonly kind: string;
  readonly userId: string;
}

/** A receipt that is malformed, expired, revoked or another user's; the error never says which. */
class ReceiptNotFoundError extends DomainError {
  constructor(cause?: unknown) {
    super(
      'unauthenticated',
      'Could not find auth receipt: Openstack-Auth-Receipt is not a valid receipt.',
      { cause },
    );
  }
}

@Injectable()
export class Receipts {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<IdentityConfig, 'tokenLifetime'>,
    private readonly seal: Seal,
  ) {}

  /** @param issuedAt milliseconds since the epoch, under the lock for issuing tokens */
  issue(
    { account, methods }: Identified,
    requiredMethods: Receipt['requiredMethods'],
    issuedAt: number,
  ): Receipt {
    // Revocation events are kept for as long as a token lives.
    const lifetime = Math.min(MAX_LIFETIME, this.config.tokenLifetime);
    const expiresAt = issuedAt + lifetime * 1000;
    const content: Content = { kind: KIND, userId: account.id, methods, issuedAt, expiresAt };
    const sealed = this.seal.seal(JSON.stringify(content));
    return { account, methods, requiredMethods, issuedAt, expiresAt, sealed };
  }

  /** @throws ReceiptNotFoundError for one that is invalid, or of another user */
  check(account: Account, sealed: string): Identified {
    const { userId, methods, issuedAt, expiresAt } = this.#open(sealed);
    if (userId !== account.id || Date.now() >= expiresAt) throw new ReceiptNotFoundError();
    return { account, methods, confirm: (tx) => this.#stands(tx, account, issuedAt) };
  }

  #open(sealed: string): Content {
    try {
      const content = JSON.parse(this.seal.open(sealed)) as Content;
      if (content.kind === KIND) return content;
    } catch (cause) {
      throw new ReceiptNotFoundError(cause);
    }
    throw new ReceiptNotFoundError();
  }

  async #stands(tx: RequestContext, account: Account, issuedAt: number): Promise<boolean> {
    const { id: userId, domainId: userDomainId } = account;
    const index = await revocationEvents.indexSince(tx, new Date(issuedAt));
    return !index.isRevoked({ userId, userDomainId, auditIds: [], issuedAt });
  }
}

type Rule = readonly string[];

/**
 * @param methods those that the user has proved, receipts and tokens included
 * @returns undefined if they suffice; else the rules that include at least one of them
 */
export function unmetRules(
  { multi_factor_auth_rules: rules = [], multi_factor_auth_enabled: enabled = true }: UserOptions,
  methods: readonly string[],
): Rule[] | undefined {
  // A method that is not offered cannot be required: a rule must not lock its user out.
  const offered = rules.map((rule) => rule.filter(isAuthMethod)).filter((rule) => rule.length > 0);
  if (!enabled || offered.length === 0) return undefined;
  if (offered.some((rule) => rule.every((name) => methods.includes(name)))) return undefined;
  return offered.filter((rule) => rule.some((name) => methods.includes(name)));
}
