/**
 * Who sees an image and who may change it, once as a predicate on a row and once as a condition on
 * rows; `image.access.db.spec.ts` compares the two. Public source: Image API reference, "Image
 * visibility" and "Sharing".
 *
 * Always holds: nobody sees an image that is being deleted. A member sees a shared image whatever
 * it thinks of it; its status only decides about lists.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { MemberStatus } from '../members/member.entity.js';
import { ImageNotSharedError, NotOwnerError } from './image.errors.js';
import type { Image, Visibility } from './image.entity.js';
import type { Bind, Condition } from './sql-condition.js';

/** Admins see every image; so do sister services, which boot servers from it as themselves. */
export function seesAll(ctx: RequestContext): boolean {
  return ctx.isAdmin || ctx.isService;
}

/** @param isMember whether the image is shared with the caller's project */
export function maySee(ctx: RequestContext, image: Image, isMember: boolean): boolean {
  if (image.state === 'pending_delete') return false;
  return (
    seesAll(ctx) ||
    isOwner(ctx, image) ||
    image.visibility === 'public' ||
    image.visibility === 'community' ||
    (image.visibility === 'shared' && isMember)
  );
}

export function isOwner(ctx: RequestContext, image: Image): boolean {
  return image.owner === ctx.projectId;
}

/** Whether the caller may change the image and all that belongs to it. */
function mayChange(ctx: RequestContext, image: Image): boolean {
  return ctx.isAdmin || isOwner(ctx, image);
}

/**
 * @param operation completes "may … it": `delete`
 * @throws NotOwnerError
 */
export function requireOwner(ctx: RequestContext, image: Image, operation: string): void {
  if (!mayChange(ctx, image)) throw new NotOwnerError(operation, image.id);
}

/** @returns the image @throws ImageNotSharedError unless it can have members */
export function requireShared(image: Image): Image {
  if (image.visibility === 'shared') return image;
  throw new ImageNotSharedError(image.id, image.visibility);
}

/** The images that `maySee` grants. */
export function visible(ctx: RequestContext): Condition {
  return reached(ctx, 'all');
}

/** What a list request asks for. */
export interface Selection {
  readonly visibility: Visibility | 'all' | undefined;
  /** Of what is shared with the project, what it has given this status. */
  readonly memberStatus: MemberStatus | 'all';
}

/**
 * The images of a list. Those of the community are many and nobody's business until asked for, so
 * without a visibility they are left out unless they are the project's own.
 */
export function listed(ctx: RequestContext, { visibility, memberStatus }: Selection): Condition {
  return (bind) => {
    const granted = reached(ctx, memberStatus)(bind);
    if (visibility === 'all') return granted;
    if (visibility === undefined) {
      return `${granted} AND (visibility <> 'community' OR owner = ${bind(ctx.projectId)})`;
    }
    return `${granted} AND visibility = ${bind(visibility)}`;
  };
}

/** @param memberStatus which memberships count */
function reached(ctx: RequestContext, memberStatus: MemberStatus | 'all'): Condition {
  return (bind) => {
    const there = `state <> 'pending_delete'`;
    if (seesAll(ctx)) return there;
    // Bound where it is used: Postgres refuses a parameter that no part of the statement takes.
    const project = bind(ctx.projectId);
    return `${there} AND (owner = ${project} OR visibility IN ('public', 'community')
      OR (visibility = 'shared' AND id IN (${membershipsOf(project, memberStatus, bind)})))`;
  };
}

function membershipsOf(project: string, status: MemberStatus | 'all', bind: Bind): string {
  const ofProject = `SELECT image_id FROM image_members WHERE member_id = ${project}`;
  return status === 'all' ? ofProject : `${ofProject} AND status = ${bind(status)}`;
}
