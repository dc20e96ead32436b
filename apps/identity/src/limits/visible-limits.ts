/** Which limits a caller's list holds. Public source: Keystone API reference, "List Limits". */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { scopeDomainOf } from '../policy/caller.js';
import { cloudAdmin, service, systemReader } from '../policy/personas.js';
import { NOTHING } from '../policy/policy-target.js';

export type VisibleLimits =
  | { readonly kind: 'all' }
  /** The domain's own, and those of the projects in it. */
  | { readonly kind: 'domain'; readonly id: string }
  | { readonly kind: 'project'; readonly id: string }
  | { readonly kind: 'none' };

export function visibleLimits(ctx: RequestContext): VisibleLimits {
  if ([cloudAdmin, systemReader, service].some((persona) => persona.is(ctx, NOTHING)))
    return { kind: 'all' };
  const domainId = scopeDomainOf(ctx);
  if (domainId !== undefined) return { kind: 'domain', id: domainId };
  const { projectId } = ctx.fields;
  return projectId === undefined ? { kind: 'none' } : { kind: 'project', id: projectId };
}
