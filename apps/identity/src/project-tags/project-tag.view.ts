/** Tags of a project on the wire. Public source: Keystone API reference, "Project tags". */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { collectionLinks } from '../http/collection.view.js';

export function projectTagsView(ctx: RequestContext, tags: readonly string[]): object {
  return { tags, links: collectionLinks(ctx) };
}

export function projectTagUrl(baseUrl: string, projectId: string, tag: string): string {
  return `${baseUrl}/v3/projects/${projectId}/tags/${encodeURIComponent(tag)}`;
}
