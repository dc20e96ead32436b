/**
 * Operations of the matching API that a service does not offer. Each is refused by name, which
 * tells clients more than a 404.
 */
import { Controller, RequestMapping, RequestMethod, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Public } from '../auth/access.js';
import { UnsupportedOperationError } from '../errors/domain-error.js';
import { Operation } from './operation.js';

export interface UnsupportedOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/v3/policies/{policy_id}` */
  readonly path: string;
  /** `Policies: show a policy`; unique. */
  readonly name: string;
  /** Whether clients call it without a token, as to get one. */
  readonly isPublic: boolean;
}

/** `{ of: 'Policies', under: '/v3/policies', operations: { 'GET ': 'list' } }`. */
export interface UnsupportedGroup {
  readonly of: string;
  readonly under: string;
  readonly isPublic?: boolean;
  /** The operation of each method and path below `under`. */
  readonly operations: Readonly<Record<`${UnsupportedOperation['method']} ${string}`, string>>;
}

export function operationsOf(groups: readonly UnsupportedGroup[]): UnsupportedOperation[] {
  return groups.flatMap(({ of, under, isPublic = false, operations }) =>
    Object.entries(operations).map(([route, name]) => {
      const [method, path] = route.split(' ') as [UnsupportedOperation['method'], string];
      return { method, path: under + path, name: `${of}: ${name}`, isPublic };
    }),
  );
}

/** The controller that answers each operation with 501, to anyone allowed to ask. */
export function unsupportedController(operations: readonly UnsupportedOperation[]): Type {
  @ApiTags('not supported')
  @Controller()
  @Refuses(operations)
  class UnsupportedController {}
  return UnsupportedController;
}

/** How operations are refused: by default, as not offered. */
export interface Refusal {
  readonly status: number;
  /** @param operation its name, with its method and path */
  readonly error: (operation: string) => Error;
  /** Further statuses, such as 404. */
  readonly errors?: readonly number[];
}

const NOT_OFFERED: Refusal = {
  status: 501,
  error: (operation) => new UnsupportedOperationError(operation),
};

/** Gives a controller a handler for each operation. */
export function Refuses(
  operations: readonly UnsupportedOperation[],
  { status, error, errors = [] }: Refusal = NOT_OFFERED,
): ClassDecorator {
  return (controller) => {
    for (const { method, path, name, isPublic } of operations) {
      const handler = camelCase(name);
      const descriptor = {
        value: () => {
          throw error(`${name} (${method} ${path})`);
        },
      };
      const prototype = controller.prototype as object;
      Object.defineProperty(prototype, handler, descriptor);
      const route = { method: RequestMethod[method], path: path.replaceAll(/\{(\w+)\}/g, ':$1') };
      RequestMapping(route)(prototype, handler, descriptor);
      (isPublic ? Public() : Authenticated())(prototype, handler, descriptor);
      Operation(name, null, { status, errors, creates: false })(prototype, handler, descriptor);
    }
  };
}

/** `OAuth1: create a consumer` is `oAuth1CreateAConsumer` in the table of routes. */
function camelCase(name: string): string {
  const joined = name.replaceAll(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase());
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}
