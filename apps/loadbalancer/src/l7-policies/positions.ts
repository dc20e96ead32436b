/**
 * The order of a listener's policies: from 1, without gaps. One that is new or moves takes its place
 * among the others, which make room; a place beyond the end is the end. Pure.
 * Public source: Load Balancer API v2 reference, "Create an L7 Policy", `position`.
 */

export const LAST = 2_147_483_647;

/** @param ids in order, with or without it; what is in order already is returned as it is */
export function placed(ids: readonly string[], id: string, position: number): string[] {
  const others = without(ids, id);
  const at = Math.min(Math.max(position, 1) - 1, others.length);
  return [...others.slice(0, at), id, ...others.slice(at)];
}

export function without(ids: readonly string[], id: string): string[] {
  return ids.filter((one) => one !== id);
}
