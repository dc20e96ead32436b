/** A type's scope, with services that give a test's answers and record the requests. */
import { Readable } from 'node:stream';
import { asService } from '@cumulet/clients/http/actor';
import type { ServiceClient, ServiceResponse } from '@cumulet/clients/http/service-client';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { CreateRequest, ServiceRequest } from '@cumulet/clients/http/service-request';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Expression } from '../template/expression.js';
import type { Json, JsonObject } from '../json/json.js';
import type { ResourceDefinition } from '../template/read-template.js';
import { isObject } from './property-values.js';
import type {
  Change,
  ExistingScope,
  NestedStacks,
  ResourceFacts,
  ResourceType,
} from './resource-type.js';
import type { Properties } from '../constraints/property-schema.js';
import type { StoredSignal } from '../rows/resource-signal.entity.js';
import type { Services } from '../sister-services.js';

export interface RecordedRequest {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly query?: ServiceRequest['query'];
  readonly json?: unknown;
  readonly headers?: ServiceRequest['headers'];
  readonly key?: string;
}

/** A service's answer; undefined is a 404. */
export type Answer = Json | undefined | ((requests: RecordedRequest) => Json | undefined);

export class Refusal {
  constructor(
    readonly status: number,
    readonly message: string,
  ) {}
}

/** Keyed by request: `GET /v2.0/networks/n1`. */
export type Answers = Record<string, Answer | Refusal>;

export interface TestScope extends ExistingScope {
  readonly requests: RecordedRequest[];
  readonly kept: JsonObject[];
  readonly answers: Answers;
}

export interface ScopeOptions {
  readonly properties?: Properties;
  readonly physicalId?: string;
  readonly data?: JsonObject;
  readonly metadata?: Json;
  readonly answers?: Answers;
  readonly services?: Partial<Services>;
  /** Signals of another resource of the stack. */
  readonly signals?: readonly StoredSignal[];
  /** Other resources of the stack, by physical ID. */
  readonly siblings?: Readonly<Record<string, ResourceFacts>>;
}

const SERVICES = [
  'compute',
  'network',
  'images',
  'identity',
  'loadBalancer',
  'secrets',
  'clusters',
  'orchestration',
];

export function testScope(type: ResourceType, options: ScopeOptions = {}): TestScope {
  const { properties = {}, physicalId = 'id-1', data = {}, metadata = {}, answers = {} } = options;
  const { siblings = {}, signals = [] } = options;
  const requests: RecordedRequest[] = [];
  const kept: JsonObject[] = [];
  const services = Object.fromEntries(
    SERVICES.map((name) => [name, fakeClient(name, requests, answers)]),
  ) as unknown as Services;
  return {
    ctx: {} as RequestContext,
    actor: asService(),
    stack: { id: 'stack-1', name: 'shop', projectId: 'project-1', tags: [] },
    row: { id: 'row-1', name: 'web', physicalId, data, metadata },
    properties: withDefaults(type, properties),
    updatePolicy: {},
    services: { ...services, ...options.services },
    nested: {} as NestedStacks,
    key: (part?: string) => (part === undefined ? 'key' : `key-${part}`),
    physicalName: (max = 255) => 'shop-web-k3jd8s2mxq5p'.slice(0, max),
    keep: (what) => Promise.resolve(void kept.push(what)),
    signals: {
      counts: () =>
        Promise.resolve({
          signals: signals.length,
          failures: signals.filter(({ isFailure }) => isFailure).length,
        }),
      read: () => Promise.resolve(signals.map(({ id, content }) => [id, content] as const)),
    },
    adjust: () => Promise.resolve(''),
    sibling: (id) => Promise.resolve(siblings[id]),
    signalUrl: () => 'http://signals.example/web',
    metadataUrl: () => 'http://metadata.example/web',
    signal: new AbortController().signal,
    requests,
    kept,
    answers,
  };
}

/** The scope of an update, and the change. */
export function changed(
  type: ResourceType,
  before: Properties,
  options: ScopeOptions,
): readonly [TestScope, Change] {
  const scope = testScope(type, options);
  const former = withDefaults(type, before);
  const names = new Set([...Object.keys(former), ...Object.keys(scope.properties)]);
  const differ = [...names].filter(
    (name) => JSON.stringify(former[name]) !== JSON.stringify(scope.properties[name]),
  );
  return [scope, { before: former, changed: new Set(differ), metadataBefore: {} }];
}

function withDefaults({ properties: schemas }: ResourceType, properties: Properties): Properties {
  const defaults = Object.entries(schemas)
    .filter(([, schema]) => schema.default !== undefined)
    .map(([name, schema]) => [name, schema.default]);
  return { ...(Object.fromEntries(defaults) as JsonObject), ...properties };
}

function fakeClient(service: string, requests: RecordedRequest[], answers: Answers): ServiceClient {
  const answer = (request: ServiceRequest & { key?: string }): ServiceResponse => {
    const { method = 'GET', path, query, json, headers, key } = request;
    const one: RecordedRequest = {
      service,
      method,
      path,
      ...(query ? { query } : {}),
      ...(json === undefined ? {} : { json }),
      ...(headers && Object.keys(headers).length > 0 ? { headers } : {}),
      ...(key === undefined ? {} : { key }),
    };
    requests.push(one);
    const found = answers[`${method} ${path}`];
    if (found instanceof Refusal) throw refused(service, found);
    const body = typeof found === 'function' ? found(one) : found;
    if (body === undefined) throw refused(service, new Refusal(404, `No ${path}.`));
    return { status: 200, headers: {}, body };
  };
  const fake = {
    send: async (request: ServiceRequest) => Promise.resolve(request).then(answer),
    create: async ({ idempotencyKey: key, ...request }: CreateRequest) =>
      Promise.resolve({ ...request, method: 'POST' as const, ...(key ? { key } : {}) }).then(
        answer,
      ),
    /** Texts are returned unchanged. */
    open: async (request: ServiceRequest) => {
      const { body, ...rest } = await fake.send(request);
      return { ...rest, body: Readable.from([Buffer.from(String(body))]) };
    },
    find: async (request: ServiceRequest) => {
      try {
        return await fake.send(request);
      } catch (error) {
        if (error instanceof ServiceRefusedError && error.status === 404) return undefined;
        throw error;
      }
    },
  };
  return fake as unknown as ServiceClient;
}

function refused(service: string, { status, message }: Refusal): ServiceRefusedError {
  return new ServiceRefusedError(service, status, message, 'trustor');
}

/** The requests in short: `POST /v2.0/networks`. */
export function calledIn({ requests }: TestScope): readonly string[] {
  return requests.map(({ method, path }) => `${method} ${path}`);
}

/** A definition with plain values and `{get_resource: name}`. */
export function definition(type: string, properties: JsonObject): ResourceDefinition {
  return {
    name: type,
    type,
    description: '',
    implementation: { kind: 'type', type },
    properties: expression(properties),
    metadata: { kind: 'value', value: {} },
    requires: [],
    asks: {},
    deletionPolicy: 'Delete',
    updatePolicy: { kind: 'value', value: {} },
    externalId: undefined,
    hooks: [],
    restrictedActions: [],
  };
}

function expression(value: Json, path = ''): Expression {
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return { kind: 'list', items: items.map((item, at) => expression(item, `${path}[${at}]`)) };
  }
  if (!isObject(value)) return { kind: 'value', value };
  if ('get_resource' in value) {
    const argument: Expression = { kind: 'value', value: value['get_resource'] ?? null };
    return { kind: 'call', name: 'get_resource', version: '2021-04-16', argument, path };
  }
  const entries = Object.entries(value).map(([name, entry]) => [
    name,
    expression(entry, `${path}.${name}`),
  ]);
  return { kind: 'map', entries: Object.fromEntries(entries) as Record<string, Expression> };
}
