import type {
  LimitsByResource,
  ServiceLimits,
} from '@cumulet/clients/identity/unified-limits-client';
import type { UnifiedLimits } from '@cumulet/clients/identity/limits.sweep';

/** Limits of the image service, as a test sets them in identity. */
export class FakeLimits implements UnifiedLimits {
  defaults: LimitsByResource = {};
  readonly byProject = new Map<string, LimitsByResource>();
  /** The error of reading them. */
  error: Error | undefined;

  read(): Promise<ServiceLimits> {
    return this.error ? Promise.reject(this.error) : Promise.resolve(this);
  }
}
