/**
 * Who may see and change an image. Public source: Image API reference, "Image visibility" and
 * "Sharing".
 *
 * Always holds: images being deleted are invisible. A member sees a shared image whatever its
 * member status, which only filters lists.
 */
import { actsAcrossProjects, mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { equalsIfGiven, type Bind, type Condition } from '@cumulet/common/tables/condition';
import type { MemberStatus } from './members/member.resource.js';
import type { Image, Visibility } from './image.entity.js';

export function isOwner(ctx: RequestContext, image: Image): boolean {
  return image.owner === ctx.projectId;
}

/**
 * Call this before changing the image or anything that belongs to it.
 * @param operation completes "may … it": `delete`
 * @throws ForbiddenError
 */
export function requireOwner(ctx: RequestContext, image: Image, operation: string): void {
  if (!mayActOn(ctx, image.owner)) {
    throw new ForbiddenError(`Only the project that owns image ${image.id} may ${operation} it.`);
  }
}

/** @throws ForbiddenError unless the image can have members */
export function requireShared(image: Image): Image {
  if (image.visibility === 'shared') return image;
  const { id, visibility } = image;
  throw new ForbiddenError(`Only shared images have members; image ${id} is ${visibility}.`);
}

export const notDeleting: Condition = () => `state <> 'pending_delete'`;

/**
 * The images that the caller may see.
 * @param status restricts images shared with the project to those with this member status
 */
export function visible(ctx: RequestContext, status: MemberStatus | 'all' = 'all'): Condition[] {
  if (actsAcrossProjects(ctx)) return [notDeleting];
  const others = (project: string, bind: Bind): string => {
    const taken = status === 'all' ? '' : `AND status = ${bind(status)}`;
    return `visibility IN ('public', 'community') OR (visibility = 'shared' AND EXISTS (
      SELECT FROM image_members WHERE image_id = images.id AND member_id = ${project} ${taken}))`;
  };
  return [notDeleting, ownOr(ctx, others)];
}

export interface Selection {
  readonly visibility: Visibility | 'all' | undefined;
  /** Restricts images shared with the project by their member status. */
  readonly memberStatus: MemberStatus | 'all';
}

/** Lists omit other projects' community images unless a visibility is requested. */
export function listed(ctx: RequestContext, { visibility, memberStatus }: Selection): Condition[] {
  return [
    ...visible(ctx, memberStatus),
    ...(visibility === undefined ? [ownOr(ctx, () => `visibility <> 'community'`)] : []),
    ...equalsIfGiven('visibility', visibility === 'all' ? undefined : visibility),
  ];
}

/** The project's own images, and those that match `others`. */
function ownOr(
  { projectId }: RequestContext,
  others: (project: string, bind: Bind) => string,
): Condition {
  return (bind) => {
    const project = bind(projectId);
    return `owner = ${project} OR ${others(project, bind)}`;
  };
}
