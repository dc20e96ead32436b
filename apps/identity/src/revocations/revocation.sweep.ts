import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { IdentityConfig } from '../config.js';
import { RevocationRepository } from './revocation.repository.js';

@Injectable()
export class RevocationSweep {
  constructor(
    private readonly revocations: RevocationRepository,
    @Inject(CONFIG) private readonly config: Pick<IdentityConfig, 'expiredTokenWindow'>,
  ) {}

  /** Forgets events once no token that they match can still be valid, or be asked about. */
  @SweepEvery(60_000, 'expired revocations')
  run(ctx: RequestContext): Promise<void> {
    return this.revocations.deleteExpired(ctx, this.config.expiredTokenWindow);
  }
}
