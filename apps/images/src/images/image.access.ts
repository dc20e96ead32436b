/**
 * Who sees an image, as a condition on rows, and who may change it. Public source: Image API
 * reference, "Image visibility" and "Sharing".
 *
 * Always holds: nobody sees an image that is being deleted. A member sees a shared image whatever
 * its member status, which only decides about lists.
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
 * Call it before changing the image, or anything that belongs to it.
 * @param operation completes "may … it": `delete`
 * @throws ForbiddenError
 */
export function requireOwner(ctx: RequestContext, image: Image, operation: string): void {
  if (!mayActOn(ctx, image.owner)) {
    throw new ForbiddenError(`Only the project that owns image ${image.id} may ${operation} it.`);
  }
}

/** @returns the image @throws ForbiddenError unless it can have members */
export function requireShared(image: Image): Image {
  if (image.visibility === 'shared') return image;
  const { id, visibility } = image;
  throw new ForbiddenError(`Only shared images have members; image ${id} is ${visibility}.`);
}

/** The image is not being deleted. */
export const isThere: Condition = () => `state <> 'pending_delete'`;

/**
 * The images that the caller may see.
 * @param status of the images shared with the project, only those that it has given this status
 */
export function visible(ctx: RequestContext, status: MemberStatus | 'all' = 'all'): Condition[] {
  if (actsAcrossProjects(ctx)) return [isThere];
  const others = (project: string, bind: Bind): string => {
    const taken = status === 'all' ? '' : `AND status = ${bind(status)}`;
    return `visibility IN ('public', 'community') OR (visibility = 'shared' AND EXISTS (
      SELECT FROM image_members WHERE image_id = images.id AND member_id = ${project} ${taken}))`;
  };
  return [isThere, ownOr(ctx, others)];
}

/** What a list request asks for. */
export interface Selection {
  readonly visibility: Visibility | 'all' | undefined;
  /**
   * Of the images shared with the project, which ones to list, by the status that it has given
   * them.
   */
  readonly memberStatus: MemberStatus | 'all';
}

/**
 * The images of a list. Community images are many, so unless a visibility is asked for they are
 * left out, except for the project's own.
 */
export function listed(ctx: RequestContext, { visibility, memberStatus }: Selection): Condition[] {
  return [
    ...visible(ctx, memberStatus),
    ...(visibility === undefined ? [ownOr(ctx, () => `visibility <> 'community'`)] : []),
    ...equalsIfGiven('visibility', visibility === 'all' ? undefined : visibility),
  ];
}

/** The project's own images, and those for which the SQL holds. */
function ownOr(
  { projectId }: RequestContext,
  others: (project: string, bind: Bind) => string,
): Condition {
  return (bind) => {
    const project = bind(projectId);
    return `owner = ${project} OR ${others(project, bind)}`;
  };
}
