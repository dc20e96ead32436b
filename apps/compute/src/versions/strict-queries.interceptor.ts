/**
 * Unknown parameters are ignored at first, refused since 2.75 by some operations, and since 2.102
 * by all. Public source: Nova, "REST API Version History".
 */
import {
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Observable } from 'rxjs';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { fieldNamesOf } from '@cumulet/common/http/fields';
import { versionOf } from './microversions.js';

/** Routes that refuse them since 2.75. */
const SINCE_75: ReadonlySet<string> = new Set([
  '/flavors',
  '/flavors/detail',
  '/limits',
  '/os-keypairs',
  '/os-keypairs/:keypair_name',
  '/os-quota-sets/:tenant_id',
  '/os-quota-sets/:tenant_id/detail',
  '/os-server-groups',
  '/os-services',
  '/os-simple-tenant-usage',
  '/os-simple-tenant-usage/:tenant_id',
  '/servers',
  '/servers/detail',
]);

/** Routes that refuse them since another minor microversion. */
const SINCE: ReadonlyMap<string, number> = new Map([['/os-migrations', 59]]);

interface Request {
  readonly cumuletContext?: RequestContext;
  readonly query: Readonly<Record<string, unknown>>;
  readonly routeOptions: { readonly url?: string };
}

type Arguments = Readonly<Record<string, { readonly index: number; readonly data?: unknown }>>;

export class StrictQueries implements NestInterceptor {
  readonly #known = new WeakMap<object, ReadonlySet<string>>();

  /** @throws InvalidInputError naming an unknown parameter */
  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { cumuletContext: ctx, query, routeOptions } = host.switchToHttp().getRequest<Request>();
    const given = Object.keys(query);
    if (ctx && given.length > 0) {
      const url = routeOptions.url ?? '';
      const since = SINCE.get(url) ?? (SINCE_75.has(url) ? 75 : 102);
      if (versionOf(ctx).atLeast(since)) this.#check(host, given);
    }
    return next.handle();
  }

  #check(host: ExecutionContext, given: readonly string[]): void {
    const handler = host.getHandler();
    const known = this.#known.get(handler) ?? parametersOf(host.getClass(), handler.name);
    this.#known.set(handler, known);
    const other = given.find((name) => !known.has(name));
    if (other === undefined) return;
    throw new InvalidInputError(
      `Invalid input: ${other.slice(0, 255)} is not a query parameter of this operation.`,
    );
  }
}

/** Query parameters of a handler, by its DTO's class or by name. */
function parametersOf(controller: Type, handler: string): ReadonlySet<string> {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Arguments;
  const types = (Reflect.getMetadata(
    'design:paramtypes',
    controller.prototype as object,
    handler,
  ) ?? []) as Type[];
  const queries = Object.entries(args).filter(([key]) =>
    key.startsWith(`${RouteParamtypes.QUERY}:`),
  );
  return new Set(
    queries.flatMap(([, { index, data }]) => {
      if (typeof data === 'string') return [data];
      const type = types[index];
      return type && type !== Object ? fieldNamesOf(type) : [];
    }),
  );
}
