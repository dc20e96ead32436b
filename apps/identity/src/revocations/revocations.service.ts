import { Injectable } from '@nestjs/common';
import type { TokenClaims } from '@cumulet/common/auth/token-claims';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { newId } from '../database/new-id.js';
import { RevocationRepository } from './revocation.repository.js';

@Injectable()
export class RevocationsService {
  constructor(
    private readonly revocations: RevocationRepository,
    private readonly verifier: TokenVerifier,
  ) {}

  /**
   * Revokes one token: those that were made from it stay valid, as Keystone has it. It is refused
   * here as soon as this returns, and by every other process once it has read the event.
   */
  async revokeToken(ctx: RequestContext, { auditIds, expiresAt }: TokenClaims): Promise<void> {
    const now = new Date();
    await this.revocations.insert(ctx, {
      id: newId(),
      auditId: auditIds[0] ?? null,
      auditChainId: null,
      userId: null,
      projectId: null,
      domainId: null,
      issuedBefore: now,
      revokedAt: now,
      expiresAt: new Date(expiresAt),
    });
    await this.verifier.refresh();
  }
}
