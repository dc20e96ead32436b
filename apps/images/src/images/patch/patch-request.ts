/**
 * The body of a change to an image, in either media type. Public source: Image API reference,
 * "Update image"; Image API v2 HTTP PATCH media types.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
} from '@cumulet/common/errors/domain-error';
import { addJsonParser } from '@cumulet/common/http/body-limits';
import { checkAttribute } from '../attribute-check.js';
import { attributeOf, isReserved } from '../image.attributes.js';
import { isRecord } from '../image.dto.js';
import { ReadOnlyAttributeError, ReservedAttributeError } from '../image.errors.js';

export const OPERATIONS = ['add', 'replace', 'remove'] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface Change {
  readonly operation: Operation;
  /** An attribute or a custom property. */
  readonly name: string;
  /** A valid value for the name; absent for `remove`. */
  readonly value?: unknown;
  /** Whether `add` refuses a name that has a value already. */
  readonly addsOnlyNew: boolean;
}

/** One of the two ways to write an operation. */
interface Form {
  readonly operationOf: (change: RawChange) => { operation: Operation; path: unknown };
  readonly addsOnlyNew: boolean;
}

type RawChange = Readonly<Record<string, unknown>>;

/** `{"op": "replace", "path": "/name", "value": "x"}` */
const NEWER: Form = {
  addsOnlyNew: false,
  operationOf: ({ op, path }) => {
    const operation = OPERATIONS.find((one) => one === op);
    if (operation === undefined) {
      throw new InvalidInputError(`Invalid input: op must be one of ${OPERATIONS.join(', ')}.`);
    }
    return { operation, path };
  },
};

/** `{"replace": "/name", "value": "x"}` */
const OLDER: Form = {
  addsOnlyNew: true,
  operationOf: (change) => {
    const [operation, ...more] = OPERATIONS.filter((one) => Object.hasOwn(change, one));
    if (operation === undefined || more.length > 0) {
      throw new InvalidInputError(
        `Invalid input: a change must have exactly one of ${OPERATIONS.join(', ')}.`,
      );
    }
    return { operation, path: change[operation] };
  },
};

const FORMS: Readonly<Record<string, Form>> = {
  'application/openstack-images-v2.0-json-patch': OLDER,
  'application/openstack-images-v2.1-json-patch': NEWER,
};

export const PATCH_MEDIA_TYPES = Object.keys(FORMS);

/** @param type in lower case, without parameters */
export function isPatchMediaType(type: string): boolean {
  return Object.hasOwn(FORMS, type);
}

/** Enough for several changes to each property. */
const MAX_CHANGES = 1_000;

/** Characters, including escapes; names have up to 255. */
const MAX_PATH = 1_024;

/**
 * @param type without parameters
 * @throws DomainError for another media type, InvalidInputError
 * @throws ReadOnlyAttributeError, ReservedAttributeError or ForbiddenError for a name that cannot
 * be set, and the errors of `checkAttribute`
 */
export function changesOf(type: string, body: unknown): Change[] {
  const form = isPatchMediaType(type) ? FORMS[type] : undefined;
  if (!form) {
    throw new DomainError(
      'unsupported-media-type',
      `Content-Type of a change to an image must be one of ${PATCH_MEDIA_TYPES.join(', ')}.`,
    );
  }
  if (!Array.isArray(body)) {
    throw new InvalidInputError('Invalid input: the body must be a list of changes.');
  }
  if (body.length > MAX_CHANGES) {
    throw new InvalidInputError(`Invalid input: a patch has at most ${MAX_CHANGES} changes.`);
  }
  return body.map((raw: unknown) => {
    if (!isRecord(raw)) {
      throw new InvalidInputError('Invalid input: each change must be an object.');
    }
    return changeOf(form, raw);
  });
}

function changeOf({ operationOf, addsOnlyNew }: Form, raw: RawChange): Change {
  const { operation, path } = operationOf(raw);
  const name = nameOf(path);
  if (operation === 'remove') {
    checkName(name);
    return { operation, name, addsOnlyNew };
  }
  if (!Object.hasOwn(raw, 'value')) {
    throw new InvalidInputError(`Invalid input: a change with ${operation} must have a value.`);
  }
  checkName(name);
  checkAttribute(name, raw['value']);
  return { operation, name, value: raw['value'], addsOnlyNew };
}

/** Attributes are replaced as a whole, so a path cannot lead into one. */
function nameOf(path: unknown): string {
  const [name = '', ...deeper] = namesOf(path);
  if (name === 'locations') {
    throw new ForbiddenError(
      `'locations' cannot be changed: an image's data is uploaded or imported.`,
    );
  }
  if (deeper.length > 0) {
    throw new InvalidInputError(
      'Invalid input: a path must name an attribute or a property, and no part of it.',
    );
  }
  return name;
}

/** The ID can be chosen at creation only. */
function checkName(name: string): void {
  if (isReserved(name)) throw new ReservedAttributeError(name);
  if (name === 'id' || attributeOf(name)?.readOnly) throw new ReadOnlyAttributeError(name);
}

/**
 * Splits a JSON pointer: `/a~1b` names `a/b`. Public source: RFC 6901; Image API v2 HTTP PATCH
 * media types.
 * @throws InvalidInputError also for empty names and a trailing slash
 */
export function namesOf(pointer: unknown): string[] {
  if (typeof pointer !== 'string' || !pointer.startsWith('/')) {
    throw refused(pointer, 'must be a string that begins with /');
  }
  if (pointer.length > MAX_PATH) throw refused(pointer, `must have at most ${MAX_PATH} characters`);
  if (/~(?![01])/.test(pointer)) throw refused(pointer, 'must have only 0 or 1 after a ~');
  const names = pointer.slice(1).split('/').map(unescaped);
  if (names.includes('')) throw refused(pointer, 'must name something between and after each /');
  return names;
}

/** `~1` is replaced first, since `~01` stands for `~1`. */
function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~').trim();
}

function refused(pointer: unknown, rule: string): InvalidInputError {
  const text = typeof pointer === 'string' ? JSON.stringify(pointer) : typeof pointer;
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return new InvalidInputError(`Invalid input: a path ${rule}, not ${shown}.`);
}

/** Replaces a refused type, so that its body is read and discarded. */
const REFUSED = 'application/x-refused-patch';

declare module 'fastify' {
  interface FastifyRequest {
    /** Empty without a Content-Type. */
    patchMediaType?: string;
  }
}

/** Parses the media types as JSON, on this route only, which itself refuses other types. */
@Injectable()
export class PatchBody implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    for (const type of PATCH_MEDIA_TYPES) addJsonParser(fastify, type);
    fastify.addContentTypeParser(REFUSED, { parseAs: 'buffer' }, (_request, _body, done) =>
      done(null, undefined),
    );
    fastify.addHook('onRequest', (request, reply, done) => {
      if (isPatch(request)) {
        const { headers } = request.raw;
        const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
        request.patchMediaType = type;
        if (!isPatchMediaType(type)) {
          headers['content-type'] = REFUSED;
          void reply.header('Accept-Patch', PATCH_MEDIA_TYPES.join(', '));
        }
      }
      done();
    });
  }
}

export function patchOf(request: FastifyRequest): Change[] {
  return changesOf(request.patchMediaType ?? '', request.body);
}

function isPatch({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'PATCH' && routeOptions.url === '/v2/images/:image_id';
}
