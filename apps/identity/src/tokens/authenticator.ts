/**
 * Authenticates callers.
 *
 * Always holds: whatever is wrong with a password or a secret, the caller gets the same 401 after
 * the same work.
 */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import type { AuthRequest, Identified, Proof } from './auth-request.js';
import { ApplicationCredentialMethod, PasswordMethod, TokenMethod } from './login-methods.js';
import { TotpMethod } from './totp.method.js';
import { Receipts } from './receipts.js';

@Injectable()
export class Authenticator {
  constructor(
    private readonly password: PasswordMethod,
    private readonly token: TokenMethod,
    private readonly totp: TotpMethod,
    private readonly applicationCredential: ApplicationCredentialMethod,
    private readonly receipts: Receipts,
  ) {}

  /**
   * @throws UnauthenticatedError unless every proof is good, and of the same enabled user
   * @throws ReceiptNotFoundError for a receipt that is invalid, or of another user
   */
  async identify(
    ctx: RequestContext,
    { proofs, receipt }: Pick<AuthRequest, 'proofs' | 'receipt'>,
  ): Promise<Identified> {
    const results: Identified[] = [];
    for (const proof of proofs) results.push(await this.#check(ctx, proof));
    const account = results[0]?.account;
    if (account && receipt) results.push(this.receipts.check(account, receipt));
    const [first] = results;
    if (!first || results.some(({ account }) => account.id !== first.account.id))
      throw new UnauthenticatedError();
    return {
      account: first.account,
      methods: [...new Set(results.flatMap(({ methods }) => methods))],
      parent: results.find(({ parent }) => parent !== undefined)?.parent,
      credential: results.find(({ credential }) => credential !== undefined)?.credential,
      confirm: async (tx, now) => {
        for (const { confirm } of results) if (!(await confirm(tx, now))) return false;
        return true;
      },
    };
  }

  #check(ctx: RequestContext, proof: Proof): Promise<Identified> {
    switch (proof.method) {
      case 'password':
        return this.password.check(ctx, proof);
      case 'token':
        return this.token.check(ctx, proof);
      case 'totp':
        return this.totp.check(ctx, proof);
      case 'application_credential':
        return this.applicationCredential.check(ctx, proof);
    }
  }
}
