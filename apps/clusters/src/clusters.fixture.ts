/** The clusters service as tests start it: without sisters, on simulated clusters. */
import 'reflect-metadata';
import {
  startService,
  type StartedService,
  type StartOptions,
} from '@cumulet/testing/start-service';
import { newId } from '@cumulet/testing/test-tokens';
import type { TestResponse } from '@cumulet/testing/http-client';
import { TrustAuthority } from '@cumulet/common/trusts/trust-ports';
import type { ClustersConfig } from './config.js';
import { SimulatedWorld } from './engine/simulated-world.js';
import { FakeReferences } from './references/fake-references.fixture.js';
import { References } from './references/references.js';
import { clustersService } from './service.js';
import { FakeTrusts } from './fake-trusts.fixture.js';

export interface ClustersFixture extends StartedService<ClustersConfig> {
  readonly projectId: string;
  /** Of a member of the project. */
  readonly token: string;
  readonly reader: string;
  readonly admin: string;
  /** Of a member of another project. */
  readonly stranger: string;
  readonly world: SimulatedWorld;
  readonly references: FakeReferences;
  readonly trusts: FakeTrusts;
  /** As a member, in the last microversion. */
  ask(method: string, path: string, body?: unknown, options?: AskOptions): Promise<TestResponse>;
  /** @returns its id */
  createTemplate(fields?: object): Promise<string>;
  /** Without waiting for it. @returns its id */
  createCluster(fields?: object): Promise<string>;
  show(id: string): Promise<Record<string, unknown>>;
}

export interface AskOptions {
  readonly token?: string;
  readonly version?: string;
}

export async function startClusters(
  options: StartOptions<ClustersConfig> = {},
): Promise<ClustersFixture> {
  const references = new FakeReferences();
  const trusts = new FakeTrusts();
  const config = { engine: 'simulated' as const, ...options.config };
  const started = await startService(
    clustersService,
    {},
    {
      ...options,
      config,
      overrides: [
        { provide: References, useValue: references },
        { provide: TrustAuthority, useValue: trusts },
        ...(options.overrides ?? []),
      ],
    },
  );
  const projectId = newId();
  const issue = (role: string, project = projectId): Promise<string> =>
    started.tokens.issue([role], { projectId: project });
  const tokens = {
    token: await issue('member'),
    reader: await issue('reader'),
    admin: await issue('admin'),
    stranger: await issue('member', newId()),
  };
  const ask: ClustersFixture['ask'] = (
    method,
    path,
    body,
    { token = tokens.token, version = 'latest' } = {},
  ) =>
    started.client.send(method, path, {
      token,
      headers: { 'OpenStack-API-Version': `container-infra ${version}` },
      ...(body === undefined ? {} : { body }),
    });
  const created = async (path: string, body: object, status: number): Promise<string> => {
    const answer = await ask('POST', path, body);
    if (answer.status !== status)
      throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
    return (answer.body as { uuid: string }).uuid;
  };
  const createTemplate = (fields: object = {}): Promise<string> =>
    created('/v1/clustertemplates', { ...A_TEMPLATE, ...fields }, 201);
  return {
    ...started,
    projectId,
    ...tokens,
    references,
    trusts,
    world: started.app.nest.get(SimulatedWorld),
    ask,
    createTemplate,
    async createCluster({ cluster_template_id: given, ...fields }: Record<string, unknown> = {}) {
      const template = given ?? (await createTemplate());
      return created('/v1/clusters', { cluster_template_id: template, ...fields }, 202);
    },
    async show(id) {
      return (await ask('GET', `/v1/clusters/${id}`)).body as Record<string, unknown>;
    },
  };
}

/** What a template needs. */
export const A_TEMPLATE = {
  name: 'k8s',
  coe: 'kubernetes',
  image_id: 'node-1.35',
  flavor_id: 'm1.small',
  master_flavor_id: 'm1.medium',
  external_network_id: 'public',
  master_lb_enabled: true,
};
