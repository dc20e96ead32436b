import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import {
  applicationCredentials,
  hasExpired,
} from '../../application-credentials/application-credential.repository.js';
import { PasswordHasher } from '../../users/passwords/password-hasher.js';
import { users } from '../../users/user.repository.js';
import type { Identified, LoginMethod, ProofOf } from '../auth-request.js';

/** Public source: Keystone API reference, "Authenticating with an Application Credential". */
@Injectable()
export class ApplicationCredentialMethod implements LoginMethod<ProofOf<'application_credential'>> {
  constructor(private readonly passwords: PasswordHasher) {}

  async check(
    ctx: RequestContext,
    { credential: ref, secret }: ProofOf<'application_credential'>,
  ): Promise<Identified> {
    const credential = await applicationCredentials.findForLogin(ctx, ref);
    const matches = await this.passwords.verify(
      credential?.secretHash,
      secret,
      ctx.fields.clientAddress,
    );
    if (!matches || !credential || hasExpired(credential)) throw new UnauthenticatedError();
    const account = await users.findAccount(ctx, { id: credential.userId });
    if (!account?.enabled) throw new UnauthenticatedError();
    return {
      account,
      methods: ['application_credential'],
      credential,
      confirm: async (tx) => {
        const now = await applicationCredentials.findForLogin(tx, { id: credential.id });
        return now?.secretHash === credential.secretHash;
      },
    };
  }
}
