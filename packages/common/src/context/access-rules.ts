/**
 * The requests that an application credential may make. Public sources: Keystone API reference,
 * "Application credentials"; Keystone user guide, "Application Credentials", access rules.
 */

export interface AccessRule {
  /** The service type in the catalog: `compute`. */
  readonly service: string;
  readonly method: string;
  /** Below the service's address: `/v2.1/servers/*`. */
  readonly path: string;
}

export interface RuledRequest {
  readonly service: string;
  readonly method: string;
  /** Below the service's address, as the client sent it, without its query. */
  readonly path: string;
}

/** Whether any of the rules allows the request; no rules allow nothing. */
export function isAllowed(rules: readonly AccessRule[], request: RuledRequest): boolean {
  return rules.some(
    ({ service, method, path }) =>
      service === request.service && method === request.method && pathMatches(path, request.path),
  );
}

/** `*` and `{name}` match part of a segment, at least one character; `**` matches anything. */
const TOKENS = /\*\*|\*|\{[^{}]*\}|[^*]/g;

/**
 * Walks the pattern once, tracking all positions in the path that it may have reached: a regular
 * expression with many `**` would backtrack endlessly on a hostile path.
 */
export function pathMatches(pattern: string, path: string): boolean {
  let reached = new Set([0]);
  for (const token of pattern.match(TOKENS) ?? []) {
    reached = step(token, path, reached);
    if (reached.size === 0) return false;
  }
  return reached.has(path.length);
}

function step(token: string, path: string, reached: ReadonlySet<number>): Set<number> {
  const next = new Set<number>();
  if (token === '**') {
    for (let at = Math.min(...reached); at <= path.length; at += 1) next.add(at);
  } else if (token === '*' || token.length > 1) {
    for (let at = 0; at < path.length; at += 1) {
      if (path[at] !== '/' && (reached.has(at) || next.has(at))) next.add(at + 1);
    }
  } else {
    for (const at of reached) if (path[at] === token) next.add(at + 1);
  }
  return next;
}
