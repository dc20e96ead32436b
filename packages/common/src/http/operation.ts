/**
 * What an operation is called and what it answers. The OpenAPI document is made of it, and tests
 * compare every answer with that document. What follows from the route is not said again: 401 and
 * 403 unless it is public, 400 where it takes a body, a query or a part of its path, 404 for the
 * latter, 413 and 415 where there may be a body, and 500 and 503 everywhere.
 */
import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';

export const OPERATION = 'cumulet:operation';

export interface OperationOptions {
  /**
   * Of success, where it is neither 200 (POST: 201) nor, without an answer, 204. What always refuses
   * has the status of its error.
   */
  readonly status?: number;
  /** Statuses of further refusals, as 409. */
  readonly errors?: readonly number[];
  readonly description?: string;
  /** Of an answer that is not JSON: `application/octet-stream`. */
  readonly contentType?: string;
  /** What it answers with another status, as 206, or 401 beside the error of that status. */
  readonly also?: Readonly<Record<number, Type | null>>;
}

/**
 * @param summary a short imperative without a full stop, unique in its service: `List regions`. The
 *   operation's id is the same in camel case, `listRegions`.
 * @param answer the class of the body, null where the body is empty
 */
export function Operation(
  summary: string,
  answer: Type | null,
  options: OperationOptions = {},
): MethodDecorator {
  const status = options.status ?? (answer || options.contentType ? undefined : 204);
  const { contentType, description, also = {} } = options;
  const body = contentType ? { content: { [contentType]: {} } } : answer ? { type: answer } : {};
  const others = Object.entries(also).map(([code, type]) =>
    ApiResponse({
      status: Number(code),
      description: summary,
      ...(type ? { type } : code === '206' ? body : {}),
    }),
  );
  return applyDecorators(
    SetMetadata(OPERATION, options),
    ApiOperation({
      summary,
      operationId: camelCase(summary),
      ...(description === undefined ? {} : { description }),
    }),
    ApiResponse({ status: status ?? 'default', description: summary, ...body }),
    ...(status === undefined ? [] : [HttpCode(status)]),
    ...others,
  );
}

/** `List a user's projects` is `listAUsersProjects`. */
function camelCase(summary: string): string {
  const [first = '', ...rest] = summary.replaceAll(/['’]/g, '').split(/\W+/).filter(Boolean);
  const lower = first.charAt(0).toLowerCase() + first.slice(1);
  return lower + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
