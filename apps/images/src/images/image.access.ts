/**
 * Who sees an image and who may change it, once as a predicate on a row and once as a condition on
 * rows. Public source: Image API reference, "Image visibility".
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { NotOwnerError } from './image.errors.js';
import type { Image, Visibility } from './image.entity.js';
import type { Condition } from './sql-condition.js';

/** Admins see every image; so do sister services, which boot servers from it as themselves. */
function seesAll(ctx: RequestContext): boolean {
  return ctx.isAdmin || ctx.isService;
}

export function maySee(ctx: RequestContext, image: Image): boolean {
  return (
    seesAll(ctx) ||
    image.owner === ctx.projectId ||
    image.visibility === 'public' ||
    image.visibility === 'community'
  );
}

/**
 * @param operation completes "may … it": `delete`
 * @throws NotOwnerError
 */
export function requireOwner(ctx: RequestContext, image: Image, operation: string): void {
  if (!ctx.isAdmin && image.owner !== ctx.projectId) throw new NotOwnerError(operation, image.id);
}

/**
 * The images of a list. Those of the community are many and nobody's business until asked for, so
 * without a visibility they are left out unless they are the project's own.
 */
export function listed(ctx: RequestContext, visibility: Visibility | 'all' | undefined): Condition {
  return (bind) => {
    // Bound where it is used: Postgres refuses a parameter that no part of the statement takes.
    const own = (): string => `owner = ${bind(ctx.projectId)}`;
    const visible = seesAll(ctx) ? 'true' : `(${own()} OR visibility IN ('public', 'community'))`;
    if (visibility === 'all') return visible;
    if (visibility === undefined) return `${visible} AND (${own()} OR visibility <> 'community')`;
    return `${visible} AND visibility = ${bind(visibility)}`;
  };
}
