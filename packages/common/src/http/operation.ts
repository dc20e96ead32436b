/**
 * An operation's summary and answers. The OpenAPI document is built from it, and tests compare
 * every answer with that document. What follows from the route is not repeated: 401 and 403 unless
 * it is public, 400 if it takes a body, a query or path parameters, 404 for path parameters, 408,
 * 413 and 415 if it may have a body, and 500 and 503 everywhere.
 */
import { applyDecorators, HttpCode, SetMetadata, UseInterceptors, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { AnswersOnce } from '../idempotency/answers-once.js';
import { OF_USER } from '../idempotency/idempotency-key.js';
import { PARAMTYPES_METADATA } from '@nestjs/common/constants.js';

export const OPERATION = 'cumulet:operation';

/** Marks responses that may have no body. */
const MAY_BE_EMPTY = 'x-may-be-empty';

export interface OperationOptions {
  /**
   * The success status, unless it is 200 (POST: 201) or, without an answer, 204. For an operation
   * that always refuses, the status of its error.
   */
  readonly status?: number;
  /** Whether the answer may also have no body. */
  readonly mayBeEmpty?: boolean;
  /** Further refusals, such as 409. */
  readonly errors?: readonly number[];
  readonly description?: string;
  /** For an answer that is not JSON: `application/octet-stream`, or several alternatives. */
  readonly contentType?: string | readonly string[];
  /** Answers with another status, such as 206, or 401 besides the error of that status. */
  readonly also?: Readonly<Record<number, Type | null>>;
  /**
   * Whether it creates something; every POST that needs a token says so. If it does, it takes an
   * `Idempotency-Key`, with 409 and 422: what it writes and its answer are one transaction, which
   * begins with its first write.
   */
  readonly creates?: boolean;
  /**
   * Whether what it creates belongs to its user, and not to the project: then so does an
   * `Idempotency-Key`, whose answer another member must not be shown.
   */
  readonly ofUser?: boolean;
}

/**
 * @param summary a short imperative without a full stop, unique in its service: `List regions`. The
 *   operation's id is the same in camel case, `listRegions`.
 * @param answer the class of the body; null if the body is empty
 */
export function Operation(
  summary: string,
  answer: Type | null,
  options: OperationOptions = {},
): MethodDecorator {
  const status = options.status ?? (answer || options.contentType ? undefined : 204);
  const { contentType, description, also = {} } = options;
  const body = contentType
    ? { content: contentOf(answer, contentType) }
    : answer
      ? { type: answer }
      : {};
  const others = Object.entries(also).map(([code, type]) =>
    ApiResponse({
      status: Number(code),
      description: summary,
      ...(type ? { type } : code === '206' ? body : {}),
      ...(type && options.mayBeEmpty ? { [MAY_BE_EMPTY]: true } : {}),
    }),
  );
  return applyDecorators(
    SetMetadata(OPERATION, options),
    ApiOperation({
      summary,
      operationId: camelCase(summary),
      ...(description === undefined ? {} : { description }),
    }),
    ApiResponse({
      status: status ?? 'default',
      description: summary,
      ...body,
      ...(options.mayBeEmpty ? { [MAY_BE_EMPTY]: true } : {}),
    }),
    ...(status === undefined ? [] : [HttpCode(status)]),
    ...others,
    ...(contentType && answer ? [ApiExtraModels(answer)] : []),
    ...(options.creates ? [UseInterceptors(AnswersOnce)] : []),
    ...(options.ofUser ? [SetMetadata(OF_USER, true)] : []),
  );
}

/** By type; with an answer, also that as JSON. */
function contentOf(answer: Type | null, types: string | readonly string[]): ContentObject {
  const json = answer && { 'application/json': { schema: { $ref: getSchemaPath(answer) } } };
  return { ...json, ...Object.fromEntries([types].flat().map((type) => [type, {}])) };
}

type ContentObject = Record<string, { readonly schema?: { readonly $ref: string } }>;

/** `List a user's projects` is `listAUsersProjects`. */
function camelCase(summary: string): string {
  const [first = '', ...rest] = summary.replaceAll(/['’]/g, '').split(/\W+/).filter(Boolean);
  const lower = first.charAt(0).toLowerCase() + first.slice(1);
  return lower + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/**
 * Declares the class of a handler's parameters where a function makes the controller and the
 * compiler cannot know it. Bodies and queries are validated and documented by it.
 */
export function takes(
  controller: { readonly prototype: object },
  method: string,
  ...types: Type[]
): void {
  Reflect.defineMetadata(PARAMTYPES_METADATA, types, controller.prototype, method);
}
