import { randomUUID } from 'node:crypto';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { TrustAuthority, type GivenTrust } from '@cumulet/common/trusts/trust-ports';

/** A fake of identity's trusts. */
export class FakeTrusts extends TrustAuthority {
  readonly given = new Map<string, Date>();

  createTrust(_ctx: RequestContext, expiresAt: Date): Promise<string> {
    const id = randomUUID();
    this.given.set(id, expiresAt);
    return Promise.resolve(id);
  }

  isTrustValid(trustId: string): Promise<boolean> {
    return Promise.resolve(this.given.has(trustId));
  }

  givenTrusts(): Promise<readonly GivenTrust[]> {
    return Promise.resolve([...this.given].map(([id, expiresAt]) => ({ id, expiresAt })));
  }

  endTrust(trustId: string): Promise<void> {
    this.given.delete(trustId);
    return Promise.resolve();
  }
}
