/**
 * A service's OpenAPI 3.1 document, built from its controllers. Tests compare every answer with it,
 * so that it cannot diverge from what the operations do.
 */
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { ErrorForm } from './error-envelope.js';
import { completed, errorResponses, METHODS } from './openapi-operation.js';
import { toOpenApi31 } from './openapi-schema.js';
import { routesOf, type Route } from './route-table.js';

export interface DocumentOptions extends ErrorForm {
  readonly title: string;
  /** Present where requests name a microversion. */
  readonly microversions?: unknown;
}

/**
 * The document of an application; a token goes into `X-Auth-Token`.
 * @throws Error naming two handlers whose operations share an id
 */
export function openApiDocument(
  app: NestFastifyApplication,
  options: DocumentOptions,
): OpenAPIObject {
  const { title, microversions } = options;
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(title)
    .setVersion('0.1.0')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Auth-Token' }, 'token')
    .addSecurityRequirements('token')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  const statuses = new Set<number>();
  const ids = new OperationIds();
  const routes = routesOf(app);
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      const route = routes.find((one) => isRoute(one, method, path));
      if (!operation || !route) continue;
      const hasMicroversions = microversions !== undefined;
      const whole = completed(operation, route, { hasMicroversions, errors: options });
      item[method] = { ...whole, operationId: ids.take(whole.operationId, route) };
      for (const status of Object.keys(whole.responses)) statuses.add(Number(status));
    }
  }
  const responses = errorResponses(
    options,
    [...statuses].filter((status) => status >= 400).sort((a, b) => a - b),
  );
  const components = { ...document.components, responses };
  return toOpenApi31({ ...document, components }) as OpenAPIObject;
}

function isRoute(route: Route, method: string, path: string): boolean {
  return route.method === method.toUpperCase() && route.path === path;
}

/** A handler of several paths keeps its id for the first, and numbers it for the others. */
class OperationIds {
  readonly #handlers = new Map<string, { readonly handler: string; paths: number }>();

  take(id = '', { handler }: Route): string {
    const known = this.#handlers.get(id);
    if (!known) {
      this.#handlers.set(id, { handler, paths: 1 });
      return id;
    }
    if (known.handler !== handler) {
      throw new Error(`${known.handler} and ${handler} are both called ${id} by @Operation`);
    }
    known.paths += 1;
    return `${id}${known.paths}`;
  }
}

/** Swagger UI at `/docs`, the document at `/docs-json`; built on first request. */
export function serveOpenApi(app: NestFastifyApplication, document: () => OpenAPIObject): void {
  SwaggerModule.setup('docs', app, document);
}
