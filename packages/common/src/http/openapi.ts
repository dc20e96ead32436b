/**
 * A service's OpenAPI 3.1 document, built from its controllers. Tests compare every answer with it,
 * so that it cannot diverge from what the operations do.
 */
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import { type ErrorForm, ERROR_MEDIA_TYPE } from './error-envelope.js';
import { toOpenApi31, schemaOfExample } from './openapi-schema.js';
import { routesOf, type Route } from './route-table.js';
import { RELEASE } from '../config/release.js';
import { rolesOf, whoMay, type Access, type RoleAccess } from '../auth/access.js';
import { IDEMPOTENCY_KEY, MAX_KEY_LENGTH } from '../idempotency/idempotency-key.js';

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
    .setVersion(RELEASE)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Auth-Token' }, 'token')
    .addSecurityRequirements('token')
    .build();
  const document = SwaggerModule.createDocument(app, config, { autoTagControllers: false });
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

type PathItem = OpenAPIObject['paths'][string];
type OperationObject = NonNullable<PathItem['get']>;
type Parameter = NonNullable<OperationObject['parameters']>[number];
type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;

const METHODS = ['get', 'head', 'put', 'post', 'patch', 'delete'] as const;

interface CompletionOptions {
  readonly hasMicroversions: boolean;
  readonly errors: ErrorForm;
}

/**
 * An operation with everything that its route says.
 * @throws Error naming the handler that has no `@Operation`, or does not say enough in it
 */
function completed(
  operation: OperationObject,
  route: Route,
  { hasMicroversions, errors }: CompletionOptions,
): OperationObject {
  const withParameters = { ...operation, parameters: parametersOf(operation, route) };
  if (!route.operation)
    throw new Error(`${route.handler} does not say what it answers: add @Operation`);
  if (isSilentPost(route))
    throw new Error(`${route.handler} does not say whether it creates something: see @Operation`);
  const who = whoMay(route.access);
  const refusals = refusalsOf(withParameters, route, hasMicroversions);
  return {
    ...withParameters,
    tags: operation.tags ?? [tagOf(route)],
    description: [operation.description, whoSentence(route.access)].filter(Boolean).join('\n\n'),
    ...(route.access.kind === 'public' ? { security: [] } : { 'x-roles': who }),
    responses: {
      ...answersOf(operation, route),
      ...referencesTo(refusals),
      ...answersBesideErrors(operation, errors),
    },
  };
}

/** The words of its controller's name, unless that has `@ApiTags`: `address groups`. */
function tagOf({ handler }: Route): string {
  const [name = ''] = handler.split(/Controller\b/);
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
}

/** For an error that may have a body of its own: either that or the envelope. */
function answersBesideErrors(
  { responses }: OperationObject,
  errors: ErrorForm,
): OperationObject['responses'] {
  const kept = Object.entries(responses).flatMap(([status, response]) => {
    const content = response && 'content' in response ? response.content : undefined;
    const schema = content?.['application/json']?.schema;
    if (!response || !schema || !(Number(status) >= 400)) return [];
    const error = errorContent(errors, Number(status));
    const other = error[ERROR_MEDIA_TYPE]?.schema;
    const either = { schema: other ? { anyOf: [schema, other] } : schema };
    return [[status, { ...response, content: { ...error, [ERROR_MEDIA_TYPE]: either } }]];
  });
  return Object.fromEntries(kept) as OperationObject['responses'];
}

/** The errors that operations refer to, in the service's envelope. */
function errorResponses(errors: ErrorForm, statuses: Iterable<number>): Responses {
  const responses = [...statuses].map((status) => {
    const content = errorContent(errors, status);
    return [nameOf(status), { description: titleOf(status), content }];
  });
  return Object.fromEntries(responses) as Responses;
}

type Content = Readonly<Record<string, { readonly schema: ReturnType<typeof schemaOfExample> }>>;

function errorContent({ envelope, errorMediaType }: ErrorForm, status: number): Content {
  const title = titleOf(status);
  const problem = { status, title, message: '', type: '', requestId: '', retryAfter: undefined };
  return {
    [errorMediaType ?? ERROR_MEDIA_TYPE]: { schema: schemaOfExample(envelope(problem), status) },
  };
}

/** Unsupported operations have no answers of their own. */
function isSilentPost({ method, access, operation }: Route): boolean {
  const isOffered = method === 'POST' && access.kind !== 'public' && operation?.status !== 501;
  return isOffered && operation?.creates === undefined;
}

const KEY_PARAMETER: Parameter = {
  name: IDEMPOTENCY_KEY,
  in: 'header',
  required: false,
  description:
    'Of visible ASCII characters. The same key with the same request gets the first answer again, ' +
    'for 24 hours; with another body, 422.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH },
};

/** Includes those that Nest cannot see: taken all at once, or left to a guard. */
function parametersOf(
  { parameters = [] }: OperationObject,
  { path, operation }: Route,
): Parameter[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const isKnown = (name: string): boolean =>
    parameters.some((one) => 'in' in one && one.in === 'path' && one.name === name);
  const missing = names
    .filter((name) => !isKnown(name))
    .map((name): Parameter => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  return [...missing, ...parameters, ...(operation?.creates ? [KEY_PARAMETER] : [])];
}

/** Nest names an answer of the usual status `default`. */
function answersOf(
  { responses }: OperationObject,
  { method }: Route,
): OperationObject['responses'] {
  const { default: usual, ...others } = responses;
  return usual === undefined ? others : { [method === 'POST' ? 201 : 200]: usual, ...others };
}

/** Statuses of 400 and above, in order. */
function refusalsOf(
  { parameters = [], responses }: OperationObject,
  { access, method, path, operation }: Route,
  hasMicroversions: boolean,
): number[] {
  const mayHaveBody = method !== 'GET' && method !== 'HEAD';
  const statuses = [
    ...(parameters.length > 0 || mayHaveBody || hasMicroversions ? [400] : []),
    ...(access.kind === 'public' ? [] : [401, 403]),
    ...(path.includes('{') ? [404] : []),
    ...(hasMicroversions ? [406] : []),
    ...(mayHaveBody ? [408, 413, 415] : []),
    ...(operation?.creates ? [409, 422] : []),
    ...(operation?.errors ?? []),
    ...Object.keys(responses).map(Number),
    500,
    503,
  ];
  return [...new Set(statuses)].filter((status) => status >= 400).sort((a, b) => a - b);
}

function referencesTo(statuses: readonly number[]): OperationObject['responses'] {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
  );
}

function whoSentence(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'Open to everyone, without a token.';
    case 'authenticated':
      return 'Needs a token of any scope.';
    case 'role':
      return `Needs the role ${rolesOf(access).join(' or ')} on the project of the token.${policySentence(access)}`;
    case 'policy':
      return `Open to: ${access.personas.join(', ')} (policy ${access.operation}).`;
  }
}

function policySentence({ policy }: RoleAccess): string {
  if (!policy) return '';
  return ` Open to: ${policy.personas.join(', ')} (policy ${policy.operation}).`;
}

function titleOf(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}

/** `NotFound`. */
function nameOf(status: number): string {
  return titleOf(status).replaceAll(/\W/g, '');
}
