import type { RewrittenRequest } from '@cumulet/common/context/rewritten-request';

/** `/v2.1/<project id>/servers`: a project id is 32 hexadecimal digits, with or without dashes. */
const PREFIX = /^\/v2(?:\.1)?(?:\/([0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}))?(?=\/[^/?])/i;

/** `/v2`, `/v2.1` and `/v2.1/{project_id}` are equivalent. Alone, each is a version document. */
export function rewriteComputeUrl(request: RewrittenRequest): string {
  const url = request.url ?? '/';
  const match = PREFIX.exec(url);
  if (!match) return url;
  if (match[1] !== undefined) request.pathProjectId = match[1];
  return url.slice(match[0].length);
}
