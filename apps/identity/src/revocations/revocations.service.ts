import { Inject, Injectable } from '@nestjs/common';
import type { RevocationSubject } from '@cumulet/common/auth/revocation';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { IdentityConfig } from '../config.js';
import { lockForRevocation, revocationEvents } from './revocation.repository.js';

/**
 * Changes that take rights from the holders of tokens.
 *
 * Always holds: the change and its events commit together; what they revoke is refused here as soon
 * as the call returns, and by every other process once it has read the events.
 */
@Injectable()
export class RevocationsService {
  constructor(private readonly verifier: TokenVerifier) {}

  /**
   * Runs a change in a transaction, in which it calls `revoke`. Must not be called within one that
   * holds other locks: every login waits for it.
   */
  async change<T>(ctx: RequestContext, work: (tx: RequestContext) => Promise<T>): Promise<T> {
    const result = await inTransaction(ctx, async (tx) => {
      await lockForRevocation(tx);
      return work(tx);
    });
    await this.verifier.refresh();
    return result;
  }

  /** Revokes what any of the subjects matches, within a change. */
  async revoke(tx: RequestContext, ...subjects: readonly RevocationSubject[]): Promise<void> {
    if (subjects.length > 0) await revocationEvents.insert(tx, subjects);
  }

  /** Revokes one token; tokens made from it stay valid, as in Keystone. */
  async revokeToken(ctx: RequestContext, auditIds: readonly string[]): Promise<void> {
    await this.change(ctx, (tx) => this.revoke(tx, { auditId: auditIds[0] }));
  }
}

@Injectable()
export class RevocationSweep {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<IdentityConfig, 'expiredTokenWindow'>,
  ) {}

  /** Deletes events once no token that they match can still be valid, or be looked up. */
  @SweepEvery(60_000, 'expired revocations')
  run(ctx: RequestContext): Promise<void> {
    return revocationEvents.deleteExpired(ctx, this.config.expiredTokenWindow);
  }
}
