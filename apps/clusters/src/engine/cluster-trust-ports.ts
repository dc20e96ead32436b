import { Injectable } from '@nestjs/common';
import { DelegationClient } from '@cumulet/clients/identity/delegation-client';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { TrustAuthority, TrustHolders, type GivenTrust } from '@cumulet/common/trusts/trust-ports';

/** Leave that can be handed on: to orchestration, and to what runs within the cluster. */
@Injectable()
export class ClusterTrustAuthority extends TrustAuthority {
  constructor(private readonly delegation: DelegationClient) {
    super();
  }

  createTrust(ctx: RequestContext, expiresAt: Date): Promise<string> {
    return this.delegation.create(ctx, { mayRedelegate: true, expiresAt });
  }

  isTrustValid(trustId: string): Promise<boolean> {
    return this.delegation.isValid(trustId);
  }

  givenTrusts(): Promise<readonly GivenTrust[]> {
    return this.delegation.list();
  }

  endTrust(trustId: string): Promise<void> {
    return this.delegation.revoke(trustId);
  }
}

const HELD = `
  SELECT one AS "trustId" FROM unnest($1::text[]) AS one
   WHERE EXISTS (SELECT FROM clusters WHERE trust_id = one OR one = ANY(former_trust_ids))`;

@Injectable()
export class ClusterTrustHolders extends TrustHolders {
  async heldTrusts(
    { manager }: RequestContext,
    trustIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    if (trustIds.length === 0) return new Set();
    const rows = await preparedRows<{ trustId: string }>(manager, HELD, [trustIds]);
    return new Set(rows.map(({ trustId }) => trustId));
  }
}
