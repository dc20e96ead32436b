import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ReadOnlyAttributeError } from '../images/image.errors.js';

const READ_ONLY = ['self', 'schema', 'created_at', 'updated_at'];

/** Refuses bodies with what only the service sets: 403, as Glance does, rather than 400. */
export class ReadOnlyGuard implements CanActivate {
  /** @throws ReadOnlyAttributeError */
  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (typeof body !== 'object' || body === null) return true;
    const found = READ_ONLY.find((name) => Object.hasOwn(body, name));
    if (found !== undefined) throw new ReadOnlyAttributeError(found);
    return true;
  }
}
