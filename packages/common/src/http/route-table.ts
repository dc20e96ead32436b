/**
 * Every route of a service with its access rule, from the controllers' decorators. The committed
 * tables and the authorisation tests derive from it, and a route without a rule fails the start.
 */
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer, type NestApplicationContext } from '@nestjs/core';
import { ACCESS, type Access } from '../auth/access.js';
import { OPERATION, type OperationOptions } from './operation.js';

export interface Route {
  readonly method: string;
  /** `/servers/{server_id}` */
  readonly path: string;
  readonly access: Access;
  /** `ServersController.show` */
  readonly handler: string;
  /** Its `@Operation`; absent without one. */
  readonly operation?: OperationOptions | undefined;
}

/** @throws Error naming a handler without an access rule */
export function routesOf(app: Pick<NestApplicationContext, 'get'>): Route[] {
  const modules = [...app.get(ModulesContainer).values()];
  const controllers = modules.flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as Type),
  );
  return routesOfControllers([...new Set(controllers)]);
}

/**
 * The routes of these controllers, without an application: for tables, and for names of tests.
 * @throws Error naming a handler without an access rule
 */
export function routesOfControllers(controllers: readonly Type[]): Route[] {
  const routes = controllers.flatMap(routesOfController);
  return routes.sort(
    (one, other) => one.path.localeCompare(other.path) || one.method.localeCompare(other.method),
  );
}

function routesOfController(controller: Type): Route[] {
  const prefixes = pathsOf(Reflect.getMetadata(PATH_METADATA, controller));
  return methodsOf(controller).flatMap(([name, handler]) => {
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    const access = Reflect.getMetadata(ACCESS, handler) as Access | undefined;
    if (!access)
      throw new Error(
        `${controller.name}.${name} says not who may call it: add @Allow, @Authenticated or @Public`,
      );
    const operation = Reflect.getMetadata(OPERATION, handler) as OperationOptions | undefined;
    const suffixes = pathsOf(Reflect.getMetadata(PATH_METADATA, handler));
    return prefixes.flatMap((prefix) =>
      suffixes.map((suffix) => ({
        method: RequestMethod[method],
        path: joined(prefix, suffix),
        access,
        handler: `${controller.name}.${name}`,
        operation,
      })),
    );
  });
}

/** Its own and inherited methods. */
function methodsOf(controller: Type): [string, object][] {
  const methods = new Map<string, object>();
  let prototype = controller.prototype as object | null;
  while (prototype && prototype !== Object.prototype) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (typeof value === 'function' && !methods.has(name)) methods.set(name, value as object);
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return [...methods];
}

function pathsOf(metadata: unknown): string[] {
  if (Array.isArray(metadata)) return metadata as string[];
  return [typeof metadata === 'string' ? metadata : ''];
}

function joined(...parts: string[]): string {
  const path = parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .map((part) => part.replace(/^:(\w+)$/, '{$1}'))
    .join('/');
  return `/${path}`;
}
