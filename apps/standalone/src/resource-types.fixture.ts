/** Resources of stacks made by their types at the services of a cloud, with no engine between. */
import { randomUUID } from 'node:crypto';
import { asBearer, throughTrust, type Actor } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { resolveNames, ServiceLookups } from '@cumulet/orchestration/constraints/service-lookups';
import { findResourceType } from '@cumulet/orchestration/resource-types/registry';
import type {
  ExistingScope,
  NestedStacks,
  ResourceType,
} from '@cumulet/orchestration/resource-types/resource-type';
import { resolveProperties } from '@cumulet/orchestration/template/properties/check-properties';
import type { Json, JsonObject } from '@cumulet/orchestration/json/json';
import { eventually } from '@cumulet/testing/settle';
import type { TestCloud } from './test-cloud.fixture.js';
import type { ServiceName, Services } from '@cumulet/orchestration/sister-services';

const PATHS: Readonly<Record<ServiceName, string>> = {
  compute: '/compute',
  network: '/networking',
  images: '/image',
  identity: '/identity',
  loadBalancer: '/load-balancer',
  secrets: '/key-manager',
  clusters: '/container-infra',
  orchestration: '/orchestration',
};

export interface Made {
  readonly id: string;
  readonly type: ResourceType;
  scope: ExistingScope;
  attribute(name: string): Promise<Json>;
}

export class TypedCloud {
  readonly #clients: readonly (readonly [string, ServiceClient])[];
  readonly #services: Services;
  readonly #tokens: ServiceTokenSource;
  readonly #made: Made[] = [];

  constructor(
    private readonly cloud: TestCloud,
    private readonly projectId: string,
    private readonly userId: string,
    s3Url: string,
  ) {
    this.#tokens = new ServiceTokenSource({
      identityUrl: cloud.url + PATHS.identity,
      user: 'orchestration',
      password: cloud.secrets.servicePassword,
    });
    const credentials = new ActorCredentials(this.#tokens);
    this.#clients = Object.entries(PATHS).map(([service, path]) => [
      service,
      new ServiceClient({ service, baseUrl: cloud.url + path, credentials }),
    ]);
    const clients = Object.fromEntries(this.#clients) as unknown as Omit<Services, 's3Url'>;
    this.#services = { ...clients, s3Url };
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map(([, client]) => client.close()));
    await this.#tokens.close();
  }

  /** As a stack works for the user. */
  async byTrustOf(token: string): Promise<Actor> {
    const trust = {
      trustor_user_id: this.userId,
      trustee_user_id: await this.#tokens.userId(),
      project_id: this.projectId,
      impersonation: true,
      roles: [{ name: 'member' }],
    };
    const path = `${PATHS.identity}/v3/OS-TRUST/trusts`;
    const { body } = await this.cloud.client.post(path, { token, body: { trust } });
    return throughTrust(undefined, (body as { trust: { id: string } }).trust.id);
  }

  /** @returns once it is there */
  async make(as: string | Actor, name: string, given: JsonObject): Promise<Made> {
    const type = findResourceType(name);
    if (!type) throw new Error(`no type ${name}`);
    const actor = typeof as === 'string' ? asBearer(as) : as;
    const scope = await this.#scope(actor, type, given);
    type.validate?.(scope.properties);
    const { physicalId, data = {} } = await untilDone(name, () => type.create(scope));
    const existing = { ...scope, row: { ...scope.row, physicalId: physicalId ?? '', data } };
    await eventually(`${name} is there`, () => isSo(type.isCreated?.(existing)), 30_000);
    const made: Made = {
      id: existing.row.physicalId,
      type,
      scope: existing,
      attribute: async (one) => (await type.attributesOf?.(made.scope, [one]))?.[one] ?? null,
    };
    this.#made.push(made);
    return made;
  }

  async update(made: Made, given: JsonObject): Promise<void> {
    const { type } = made;
    const before = made.scope.properties;
    const { properties } = await this.#scope(made.scope.actor, type, given);
    const changed = Object.keys(properties).filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(properties[name]),
    );
    const change = { before, changed: new Set(changed), metadataBefore: {} };
    made.scope = { ...made.scope, properties, keep: (data) => keptBy(made, data) };
    const updated = await untilDone(type.name, async () => type.update?.(made.scope, change));
    if (updated?.data) await keptBy(made, updated.data);
    await eventually(`${type.name} is changed`, () => isSo(type.isUpdated?.(made.scope)), 30_000);
  }

  /** Leaves what another would need, and takes it again. */
  async makeWayAndComeBack(made: Made): Promise<void> {
    const { type } = made;
    made.scope = { ...made.scope, keep: (data) => keptBy(made, data) };
    await untilDone(`${type.name}, to make way`, async () =>
      type.prepareForReplacement?.(made.scope),
    );
    await untilDone(`${type.name}, to come back`, async () => type.restoreReplaced?.(made.scope));
  }

  /** All that was made, the last first. */
  async removeAll(): Promise<void> {
    for (const made of this.#made.splice(0).reverse()) {
      const { type } = made;
      made.scope = { ...made.scope, keep: (data) => keptBy(made, data) };
      await untilDone(type.name, () => type.remove(made.scope));
      await eventually(`${type.name} is gone`, () => isSo(type.isRemoved?.(made.scope)), 30_000);
    }
  }

  async #scope(actor: Actor, type: ResourceType, given: JsonObject): Promise<ExistingScope> {
    const { projectId } = this;
    const lookups = new ServiceLookups({ services: this.#services, actor, projectId });
    const checked = resolveProperties(type.properties, given);
    const id = randomUUID();
    return {
      ctx: {} as RequestContext,
      actor,
      stack: { id: 'stack', name: 'stack', projectId, tags: [] },
      row: { id, name: 'one', physicalId: '', data: {}, metadata: {} },
      properties: await resolveNames(type.properties, checked, lookups),
      updatePolicy: {},
      services: this.#services,
      nested: {} as NestedStacks,
      key: (part) => (part === undefined ? id : `${id}:${part}`),
      physicalName: (max = 255) => `stack-one-${id.slice(0, 8)}`.slice(0, max),
      keep: () => Promise.resolve(),
      sibling: (physicalId) =>
        Promise.resolve(this.#made.find((one) => one.id === physicalId)?.scope.row),
      signals: {
        counts: () => Promise.resolve({ signals: 0, failures: 0 }),
        read: () => Promise.resolve([]),
      },
      adjust: () => Promise.resolve(''),
      signalUrl: () => 'http://signals.example/one',
      metadataUrl: () => 'http://metadata.example/one',
      signal: new AbortController().signal,
    };
  }
}

function keptBy(made: Made, data: JsonObject): Promise<void> {
  made.scope = { ...made.scope, row: { ...made.scope.row, data } };
  return Promise.resolve();
}

async function isSo(asked: Promise<boolean> | undefined): Promise<boolean> {
  return asked === undefined || asked;
}

/** As the engine asks again what a service cannot do yet. */
async function untilDone<T>(what: string, work: () => Promise<T>): Promise<T> {
  let done: { readonly value: T } | undefined;
  await eventually(
    `${what} is taken`,
    async () => {
      try {
        done = { value: await work() };
      } catch (error) {
        if (!(error instanceof DomainError && error.kind === 'transient')) throw error;
      }
      return done !== undefined;
    },
    30_000,
  );
  if (!done) throw new Error(`${what} was not taken`);
  return done.value;
}
