import type { FastifyInstance } from 'fastify';
import { InvalidInputError } from '../errors/domain-error.js';

/** Levels of objects and lists in a body: more than any API needs, fewer than the stack allows. */
const MAX_DEPTH = 100;

class BodyTooDeepError extends InvalidInputError {
  constructor() {
    super(`Invalid input: the body must not be nested deeper than ${MAX_DEPTH} levels.`);
  }
}

/**
 * These APIs speak JSON; a service adds what else it takes (an image's bytes). Clients also name
 * JSON when they send no body, as with DELETE: that is no error.
 */
export function setBodyParsers(fastify: FastifyInstance): void {
  fastify.removeContentTypeParser(['text/plain', 'application/json']);
  addJsonParser(fastify, 'application/json');
}

/** Parses bodies of this media type as JSON. */
export function addJsonParser(fastify: FastifyInstance, mediaType: string): void {
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser(mediaType, { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) {
      done(null, undefined);
      return;
    }
    void parseJson(request, body as string, (error, value: unknown) => {
      if (error === null && isTooDeep(value)) done(new BodyTooDeepError());
      else done(error, value);
    });
  });
}

/** Checks level by level: later readers recurse, and a deep body would overflow their stack. */
function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === MAX_DEPTH) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
