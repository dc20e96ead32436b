/** Signed URLs for signals without a token, valid as long as the resource has this row. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { OrchestrationConfig } from '../config.js';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';

export interface SignalTarget {
  readonly projectId: string;
  readonly stackId: string;
  readonly resourceId: string;
}

@Injectable()
export class SignalAddresses {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<OrchestrationConfig, 'guestUrl' | 'publicUrl'>,
    private readonly sealed: SealedJson,
  ) {}

  ofGuests(target: SignalTarget): string {
    return this.#url(this.config.guestUrl, target);
  }

  /** The public URL, or the one for guests if the service has no public address. */
  ofOthers(target: SignalTarget): string {
    return this.#url(this.config.publicUrl ?? this.config.guestUrl, target);
  }

  /** Read by a server's agent; a URL for signals does not open it. */
  ofMetadata(target: SignalTarget): string {
    return this.#url(this.config.guestUrl, target, 'metadata');
  }

  isSigned(target: SignalTarget, signature: string): boolean {
    return this.sealed.isDigest(textOf(target, 'signals'), signature);
  }

  isSignedForMetadata(target: SignalTarget, signature: string): boolean {
    return this.sealed.isDigest(textOf(target, 'metadata'), signature);
  }

  #url(base: string, target: SignalTarget, purpose: Purpose = 'signals'): string {
    const { projectId, stackId, resourceId } = target;
    const signature = this.sealed.digest(textOf(target, purpose));
    return `${base}/${purpose}/${projectId}/${stackId}/${resourceId}?Signature=${signature}`;
  }
}

/** A URL opens nothing but its purpose. */
type Purpose = 'signals' | 'metadata';

function textOf({ projectId, stackId, resourceId }: SignalTarget, purpose: Purpose): string {
  return `${purpose}:${projectId}:${stackId}:${resourceId}`;
}
