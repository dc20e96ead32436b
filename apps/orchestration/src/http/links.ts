/** Links to stacks and their parts, always below the owning project. */
import { Shown } from '@cumulet/common/http/shown';

export class Link {
  @Shown(String, 'The address.')
  href: string;

  @Shown(String, 'The relation: self, stack, resource, nested or root_stack.')
  rel: string;
}

export interface StackAddress {
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
}

interface Addressed {
  readonly baseUrl: string;
}

/** `https://cloud/orchestration/v1/{project_id}/stacks/{stack_name}/{stack_id}` */
export function stackUrl({ baseUrl }: Addressed, { id, name, projectId }: StackAddress): string {
  return `${baseUrl}/v1/${projectId}/stacks/${encodeURIComponent(name)}/${id}`;
}

export function stackLink(ctx: Addressed, stack: StackAddress, rel = 'self'): Link {
  return { href: stackUrl(ctx, stack), rel };
}

export function resourceLink(
  ctx: Addressed,
  stack: StackAddress,
  name: string,
  rel = 'self',
): Link {
  return { href: `${stackUrl(ctx, stack)}/resources/${encodeURIComponent(name)}`, rel };
}

/** `2026-01-31T12:00:00Z`: UTC in whole seconds. Public source: heat, `common/timeutils.py`. */
export function heatTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

export function heatTimeIfAny(date: Date | null): string | null {
  return date === null ? null : heatTime(date);
}
