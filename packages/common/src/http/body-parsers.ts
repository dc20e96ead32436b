import type { FastifyInstance, FastifyRequest } from 'fastify';
import { InvalidInputError } from '../errors/domain-error.js';
import type { JsonCodec } from '../languages/json-codec.js';
import { excessOf } from './json-bounds.js';

class BodyTooComplexError extends InvalidInputError {
  constructor(excess: string) {
    super(`Invalid input: ${excess}.`);
  }
}

/**
 * These APIs speak JSON; a service adds what else it takes (an image's bytes). Clients also name
 * JSON when they send no body, as with DELETE: that is no error.
 */
export function setBodyParsers(fastify: FastifyInstance, json?: JsonCodec): void {
  fastify.removeContentTypeParser(['text/plain', 'application/json']);
  addJsonParser(fastify, 'application/json', json);
}

/** Parses bodies of this media type as JSON. */
export function addJsonParser(fastify: FastifyInstance, mediaType: string, json?: JsonCodec): void {
  const parse = jsonParser(fastify, json);
  fastify.addContentTypeParser(mediaType, { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parse(request, body as string, done);
  });
}

type Done = (error: Error | null, value?: unknown) => void;

/**
 * What parses a text that is not empty, within the bounds of the request's route. Keys are kept
 * whatever they are: `__proto__` becomes a member as any other.
 * @param json the service's own; whatever that does not take is refused as by everyone else
 */
export function jsonParser(
  fastify: FastifyInstance,
  json?: JsonCodec,
): (request: FastifyRequest, body: string, done: Done) => void {
  const parseJson = fastify.getDefaultJsonParser('ignore', 'ignore');
  return (request, body, done) => {
    const excess = excessOf(body, request.routeOptions.config.bodyLimits);
    const value = excess === undefined && json ? parsedBy(json, body) : undefined;
    if (excess !== undefined) done(new BodyTooComplexError(excess));
    else if (value === undefined) void parseJson(request, body, done);
    else done(null, value);
  };
}

/** @returns undefined for what is no JSON */
function parsedBy(json: JsonCodec, body: string): unknown {
  try {
    return json.parse(body);
  } catch {
    return undefined;
  }
}
