/** The clusters service without other services, on simulated clusters. */
import 'reflect-metadata';
import {
  startService,
  type StartedService,
  type StartOptions,
} from '@cumulet/testing/start-service';
import { newId } from '@cumulet/testing/test-tokens';
import type { TestResponse } from '@cumulet/testing/http-client';
import type { ReconcileOutcome } from '@cumulet/common/reconcile/run-reconciler';
import { TrustAuthority } from '@cumulet/common/trusts/trust-ports';
import type { ClusterId } from './clusters/cluster.resource.js';
import { ClusterReconciler } from './work/cluster.reconciler.js';
import type { ClustersConfig } from './config.js';
import { SimulatedWorld } from './engine/simulated-world.js';
import { FakeReferences } from './references/fake-references.fixture.js';
import type { Node } from './nodes/node.entity.js';
import { nodes } from './nodes/node.repository.js';
import { References } from './references/references.js';
import { clustersService } from './service.js';
import { workOn } from './work/work-on.fixture.js';
import { FakeTrusts } from './fake-trusts.fixture.js';
import { NodePorts } from './nodes/bootstrap/node-ports.js';

export interface ClustersFixture extends StartedService<ClustersConfig> {
  readonly projectId: string;
  /** A member's token. */
  readonly token: string;
  readonly reader: string;
  readonly admin: string;
  /** The token of a member of another project. */
  readonly stranger: string;
  readonly world: SimulatedWorld;
  readonly references: FakeReferences;
  readonly trusts: FakeTrusts;
  /** Requests as a member, with the last microversion. */
  ask(method: string, path: string, body?: unknown, options?: AskOptions): Promise<TestResponse>;
  /** @returns its ID */
  createTemplate(fields?: object): Promise<string>;
  /** Does not wait for completion. @returns its ID */
  createCluster(fields?: object): Promise<string>;
  show(id: string): Promise<Record<string, unknown>>;
  /** Creates a cluster and completes its work; for `role: 'api'`. @returns its ID */
  made(fields?: object): Promise<string>;
  resize(id: string, body: object): Promise<TestResponse>;
  /** Resets the simulated world. */
  calm(): void;
  /** Works on a cluster until it is settled or waits; for `role: 'api'`, without workers. */
  work(id: string): Promise<ReconcileOutcome>;
  nodesOf(id: string): Promise<Node[]>;
  /** Expires a cluster's time-out. */
  expire(id: string): Promise<void>;
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
        // There is no network service to check ports with.
        { provide: NodePorts, useValue: { check: () => Promise.resolve() } },
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
  const createCluster: ClustersFixture['createCluster'] = async ({
    cluster_template_id: given,
    ...fields
  }: Record<string, unknown> = {}) => {
    const template = given ?? (await createTemplate());
    return created('/v1/clusters', { cluster_template_id: template, ...fields }, 202);
  };
  const { nest } = started.app;
  const world = nest.get(SimulatedWorld);
  const work = (id: string): Promise<ReconcileOutcome> =>
    workOn(nest.get(ClusterReconciler), started.ctx, id);
  return {
    ...started,
    projectId,
    ...tokens,
    references,
    trusts,
    world,
    ask,
    createTemplate,
    createCluster,
    async show(id) {
      return (await ask('GET', `/v1/clusters/${id}`)).body as Record<string, unknown>;
    },
    async made(fields) {
      const id = await createCluster(fields);
      await work(id);
      return id;
    },
    resize: (id, body) => ask('POST', `/v1/clusters/${id}/actions/resize`, body),
    calm() {
      world.signals.length = 0;
      world.serverFailures.length = 0;
      world.failures.clear();
      world.lost.clear();
      world.stuck.clear();
      world.unreachable.clear();
    },
    work,
    nodesOf: (id) => nodes.ofCluster(started.ctx, id as ClusterId),
    async expire(id) {
      await started.ctx.manager.query(
        `UPDATE clusters SET timeout_at = now() - interval '1 second' WHERE id = $1`,
        [id],
      );
    },
  };
}

/** The message of an error. */
export function messageOf({ body }: TestResponse): string | undefined {
  return (body as { errors?: { detail: string }[] }).errors?.[0]?.detail;
}

/** Required fields of a template. */
export const A_TEMPLATE = {
  name: 'k8s',
  coe: 'kubernetes',
  image_id: 'node-1.35',
  flavor_id: 'm1.small',
  master_flavor_id: 'm1.medium',
  external_network_id: 'public',
  master_lb_enabled: true,
};
