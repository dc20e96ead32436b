/**
 * Tests of every service: its schema, who may call each route, the common parts of answers and errors,
 * operations that are not offered, and revocation. A service's own spec calls it with the facts of
 * that service.
 */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mayCall } from '@cumulet/common/auth/access';
import { routesOf, routesOfControllers, type Route } from '@cumulet/common/http/route-table';
import {
  unsupportedController,
  type UnsupportedOperation,
} from '@cumulet/common/http/unsupported-operations';
import { OperationsController } from '@cumulet/common/app/operations.controller';
import { MAX_HEADERS, MAX_PARAMETERS } from '@cumulet/common/http/request-bounds';
import { SEVERAL_HOSTS } from '@cumulet/common/http/http-server';
import type { Service } from '@cumulet/common/app/define-service';
import { controllersOf } from '@cumulet/common/service/feature';
import type { ServiceConfig } from '@cumulet/common/service/service-settings';
import type { DataSource } from 'typeorm';
import { authorisationSuite } from './authorisation-suite.js';
import { createTestDatabase } from './database.js';
import { expectError, REQUEST_ID } from './expect-error.js';
import { expectRows } from './expect-rows.js';
import { rawRequest } from './raw-request.js';
import { schemaDrift } from './schema-drift.js';
import { eventually } from './settle.js';
import type { StartedService, StartOptions } from './start-service.js';
import { newId } from './test-tokens.js';

export interface ServiceSubject<
  Config extends ServiceConfig,
  Started extends StartedService<Config> = StartedService<Config>,
> {
  /** Starts the service; its tokens are those of the test. */
  readonly start: (options: StartOptions<Config>) => Promise<Started>;
  /** Every route that needs no token, besides probes: `GET /v3`. */
  readonly open: readonly string[];
  /** By path parameter, creates a resource of the project. @returns its ID */
  readonly examples?: Readonly<
    Record<string, (started: Started, token: string) => Promise<string>>
  >;
  /** Path parameters that name nothing of one project, or that another spec tests so. */
  readonly withoutExample?: readonly string[];
  /** The headers by which sister services name the project that they act for, if any. */
  readonly actingFor?: (projectId: string) => Readonly<Record<string, string>>;
  /** Headers of requests to routes that the first microversion lacks. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Routes for orchestrators, in every service. */
const PROBES = ['GET /healthz', 'GET /readyz'];

export function testService<Config extends ServiceConfig, Started extends StartedService<Config>>(
  service: Service<Config>,
  subject: ServiceSubject<Config, Started>,
): void {
  const { unsupported = [] } = service;
  const routes = routesOfControllers([
    OperationsController,
    unsupportedController(unsupported),
    ...service.features.flatMap(controllersOf),
  ]);
  let started: Started;
  const running = (): Started => started;

  beforeAll(async () => {
    const config: Partial<ServiceConfig> = { revocationRefresh: 50 };
    started = await subject.start({ config: config as Partial<Config>, losesDatabase: true });
  });
  afterAll(() => started.stop());

  describe('the schema', () => schemaSuite(service, running));
  describe('the routes', () => {
    it('are those of the features', () => expect(routesOf(started.app.nest)).toEqual(routes));

    it('need a token, but for these', () => {
      const open = routes.filter(({ access, path, method }) => {
        return access.kind === 'public' && !unsupported.some(isAt(method, path));
      });
      const named = open.map(({ method, path }) => `${method} ${path}`).sort();
      expect(named).toEqual([...PROBES, ...subject.open].sort());
    });

    authorisationSuite(routes, running);
  });
  describe('another project', () => strangerSuite(routes, subject, running));
  describe('every answer', () => answerSuite(service, routes, running));
  describe('unsupported operations', () => unsupportedSuite(service, running));
  describe('a revoked token', () => revocationSuite(routes, running));
}

type Running<Config extends ServiceConfig> = () => StartedService<Config>;

function schemaSuite<Config extends ServiceConfig>(
  service: Service<Config>,
  running: Running<Config>,
): void {
  let dataSource: DataSource;

  beforeAll(async () => {
    dataSource = await service.dataSource(running().database.url).initialize();
  });
  afterAll(() => dataSource.destroy());

  it('matches the entities after all migrations', async () => {
    expect(await schemaDrift(dataSource)).toEqual([]);
  });

  it('can undo its migrations back to the first, and run them again', async () => {
    const other = await createTestDatabase(service);
    const copy = await service.dataSource(other.url).initialize();
    try {
      for (const _ of service.migrations.slice(1)) await copy.undoLastMigration();
      await copy.runMigrations();
      expect(await schemaDrift(copy)).toEqual([]);
    } finally {
      await copy.destroy();
      await other.drop();
    }
  });
}

interface Example {
  readonly id: string;
  readonly projectId: string;
  /** The token of the project that it belongs to. */
  readonly owner: string;
}

/** Another project's resource does not exist: not even a refusal reveals that it does. */
function strangerSuite<Config extends ServiceConfig, Started extends StartedService<Config>>(
  routes: readonly Route[],
  subject: ServiceSubject<Config, Started>,
  running: () => Started,
): void {
  const { examples, withoutExample = [], actingFor = () => ({}), headers = {} } = subject;
  if (!examples) return;
  const forMembers = routes.flatMap((route) => {
    const [, parameter] = /\{(\w+)\}/.exec(route.path) ?? [];
    // Routes that members may not call refuse them whatever they name.
    const { access } = route;
    const isForMembers = access.kind === 'role' && mayCall(['member'], access);
    return parameter !== undefined && isForMembers ? [{ ...route, parameter }] : [];
  });
  const named = forMembers.flatMap((route) => {
    const create = examples[route.parameter];
    return create ? [{ ...route, create }] : [];
  });

  it('is tried with an example of each path parameter, but for these', () => {
    const known = [...Object.keys(examples), ...withoutExample];
    const parameters = new Set(forMembers.map(({ parameter }) => parameter));
    expect([...parameters].sort()).toEqual(known.sort());
  });

  /** By parameter: nobody else may change it, so it serves all routes. */
  const made = new Map<string, Example>();
  const exampleFor = async ({ parameter, create }: (typeof named)[number]): Promise<Example> => {
    const known = made.get(parameter);
    if (known) return known;
    const projectId = newId();
    const owner = await running().tokens.issue(['member'], { projectId });
    const example = { id: await create(running(), owner), projectId, owner };
    made.set(parameter, example);
    return example;
  };
  const urlOf = ({ path, parameter }: (typeof named)[number], { id }: Example): string =>
    path.replace(`{${parameter}}`, id).replaceAll(/\{\w+\}/g, () => newId());

  it('finds nothing', async () => {
    await expectRows(named, nameOf, async (route) => {
      const { method, parameter } = route;
      const { tokens, client } = running();
      const url = urlOf(route, await exampleFor(route));
      const body = ['GET', 'HEAD', 'DELETE'].includes(method) ? undefined : {};
      const token = await tokens.issue(['member']);
      const { status, text } = await client.send(method, url, { token, body, headers });
      // Missing fields are reported before anything is looked up; of a DELETE, its body, if it needs one.
      const lacksBody = method === 'DELETE' && text.includes('the body must be an object');
      const wanted = body === undefined && !lacksBody ? [404] : [400, 404, 415];
      if (!wanted.includes(status)) made.delete(parameter);
      expect(wanted).toContain(status);
    });
  });

  // A sister service works for every project (auth/project-access.ts).
  it('hides nothing from a sister service that reads', async () => {
    const shown = named.filter(({ method }) => method === 'GET');
    await expectRows(shown, nameOf, async (route) => {
      const { tokens, client } = running();
      const example = await exampleFor(route);
      const { projectId, owner } = example;
      const url = urlOf(route, example);
      const service = await tokens.issue(['service']);
      const [toOwner, toService] = await Promise.all([
        client.get(url, { token: owner, headers }),
        client.get(url, { token: service, headers: { ...headers, ...actingFor(projectId) } }),
      ]);
      // It may see more: agents, for example, are the operators' and their services' alone.
      expect([toOwner.status, 200]).toContain(toService.status);
    });
  });
}

function answerSuite<Config extends ServiceConfig>(
  service: Service<Config>,
  routes: readonly Route[],
  running: Running<Config>,
): void {
  const { requestIdAlias, vary = [] } = service;
  const guarded = guardedPath(routes);
  const names = ['X-Platform-Request-Id', 'X-Openstack-Request-Id', requestIdAlias ?? []].flat();
  const asked: readonly (readonly [string, number, string, string])[] = [
    ['a probe', 200, 'GET', '/healthz'],
    ['a request without a token', 401, 'GET', guarded],
    ['a path that nothing is at', 404, 'GET', '/no/such/path'],
    ['a method that the path has not', 405, 'PATCH', '/healthz'],
    ['a method that nobody knows', 405, 'PURGE', '/healthz'],
    ['a path that cannot be decoded', 400, 'GET', `${guarded}/%zz`],
  ];

  it.each(asked)('has its id under each name: %s', async (_, status, method, path) => {
    const response = await running().client.send(method, path);
    expect(response.status).toBe(status);
    const id = response.headers.get('X-Platform-Request-Id');
    expect(id).toMatch(REQUEST_ID);
    for (const name of names) expect([name, response.headers.get(name)]).toEqual([name, id]);
    for (const name of vary) expect(response.headers.get('Vary')).toContain(name);
  });

  it.each(asked.filter(([, status]) => status >= 400))(
    'has the body of an error, which shows nothing of us: %s',
    async (_, status, method, path) => {
      const said = expect.stringMatching(/\w{3}/);
      expectError(await running().client.send(method, path), status, service, said);
    },
  );

  it.each(['/docs/../../package.json', '/docs/%2e%2e/%2e%2e/package.json'])(
    'is 404 for a path out of the documentation: %s',
    async (path) => {
      const { baseUrl } = running().client;
      const below = new URL(baseUrl).pathname.replace(/\/$/, '');
      const bytes = `GET ${below}${path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`;
      const answer = await rawRequest(baseUrl, bytes);
      expectError(answer, 404, service, expect.stringContaining('/docs/'));
    },
  );

  it('is a refusal where a request names several hosts', async () => {
    const { baseUrl } = running().client;
    const below = new URL(baseUrl).pathname.replace(/\/$/, '');
    const bytes = `GET ${below}/healthz HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n`;
    expectError(await rawRequest(baseUrl, bytes), 400, service, SEVERAL_HOSTS);
  });

  it('has an id of its own, beside the one that the caller gave the chain', async () => {
    const global = 'req-00000000-0000-4000-8000-000000000000';
    const headers = { 'X-Openstack-Request-Id': global };
    const { client } = running();
    const { headers: answer } = await client.get('/healthz', { headers });
    expect(answer.get('X-Platform-Request-Id')).not.toBe(global);
  });

  it.each([
    [`/healthz?${'a&'.repeat(MAX_PARAMETERS)}a`, '', 'parameters'],
    ['/healthz', 'a: b\r\n'.repeat(MAX_HEADERS), 'headers'],
  ])('is a refusal where a request has too many %#', async (path, headers, what) => {
    const { baseUrl } = running().client;
    const below = new URL(baseUrl).pathname.replace(/\/$/, '');
    const bytes = `GET ${below}${path} HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n`;
    const said = expect.stringContaining(`has more than 500 ${what}.`);
    expectError(await rawRequest(baseUrl, bytes), 400, service, said);
  });

  it('says how to authenticate, and not why it was not enough', async () => {
    const { client, tokens } = running();
    const expired = await tokens.issue(['member'], { expiresAt: Date.now() - 60_000 });
    for (const token of [undefined, '', 'nonsense', expired]) {
      const response = await client.get(guarded, { token });
      const message = 'The request you have made requires authentication.';
      expectError(response, 401, service, message);
      expect(response.headers.get('WWW-Authenticate')).toMatch(/^Keystone uri="http.*\/v3"$/);
    }
  });

  it('names the methods that a path does answer', async () => {
    const { headers } = await running().client.patch('/healthz', { body: {} });
    expect(headers.get('Allow')).toBe('GET, HEAD');
  });

  it('is 503 while the database is away, says when to come again, and recovers', async () => {
    const { wire, client } = running();
    await wire.cut();
    const response = await client.get('/readyz');
    expectError(response, 503, service, 'The service cannot reach its database at present.');
    expect(response.headers.get('Retry-After')).toBe('5');
    expect((await client.get('/healthz')).status).toBe(200);
    await wire.mend();
    await eventually('it is ready', async () => (await client.get('/readyz')).status === 200);
  });

  it('stands in a document that refers to nothing that it does not hold', async () => {
    const { text, body } = await running().client.get('/docs-json');
    const { schemas = {} } = (body as { components: { schemas?: object } }).components;
    const named = [...text.matchAll(/"#\/components\/schemas\/([^"]*)"/g)].map(([, name]) => name);
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(named));
  });
}

function unsupportedSuite<Config extends ServiceConfig>(
  service: Service<Config>,
  running: Running<Config>,
): void {
  const { unsupported = [] } = service;

  it('has a name of its own for each operation', () => {
    const names = unsupported.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  if (unsupported.length === 0) return;

  it('is refused by name', async () => {
    const { client, tokens } = running();
    const token = await tokens.issue(['member']);
    await expectRows(unsupported, nameOf, async ({ method, path, name }) => {
      const body = method === 'GET' ? undefined : { unread: true };
      const url = path.replaceAll(/\{\w+\}/g, 'some');
      const said = `${name} (${method} ${path}) is not supported.`;
      expectError(await client.send(method, url, { token, body }), 501, service, said);
    });
  });
}

function revocationSuite<Config extends ServiceConfig>(
  routes: readonly Route[],
  running: Running<Config>,
): void {
  const guarded = guardedPath(routes);

  it('is refused as soon as the service has looked again, as often as its setting says', async () => {
    const { client, tokens } = running();
    const userId = newId();
    const token = await tokens.issue(['admin'], { userId });
    expect((await client.get(guarded, { token })).status).not.toBe(401);
    const looks = jest.spyOn(tokens, 'revocations');
    tokens.events.push({ userId, issuedBefore: Date.now() + 60_000 });
    await eventually('the service has looked three times', () => looks.mock.calls.length > 2);
    expect((await client.get(guarded, { token })).status).toBe(401);
    looks.mockRestore();
  });
}

/** A route to read that needs a token. */
function guardedPath(routes: readonly Route[]): string {
  const found = routes.find(
    ({ access, method, path }) =>
      access.kind !== 'public' && method === 'GET' && !path.includes('{'),
  );
  if (!found) throw new Error('the service has no GET without a parameter that needs a token');
  return found.path;
}

function nameOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

function isAt(method: string, path: string): (operation: UnsupportedOperation) => boolean {
  return (operation) => operation.method === method && operation.path === path;
}
