import type { RequestContext } from '@cumulet/common/context/request-context';

/** Owns what an administrator of the whole system creates without naming a domain. */
export const DEFAULT_DOMAIN_ID = 'default';

/**
 * The domain of what is created without naming one: that of the caller's token, or of its project.
 * Public source: Keystone API reference, "Create user", `domain_id`.
 */
export function domainOfCaller({ fields }: RequestContext): string {
  return fields.domainId ?? DEFAULT_DOMAIN_ID;
}

/** The domain that a body means, `{"user": {"domain_id": "…"}}`, before the body has been validated. */
export function newDomainOf(ctx: RequestContext, body: unknown): string {
  const [resource] = isObject(body) ? Object.values(body) : [];
  const named = isObject(resource) ? resource['domain_id'] : undefined;
  return typeof named === 'string' ? named : domainOfCaller(ctx);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
