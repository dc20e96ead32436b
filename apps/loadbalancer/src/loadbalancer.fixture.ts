/** The load balancer service as tests start it: simulated data plane and VIPs, and a project. */
import 'reflect-metadata';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { TestClient, TestResponse } from '@cumulet/testing/http-client';
import {
  startService,
  type StartedService,
  type StartOptions,
} from '@cumulet/testing/start-service';
import { newId, type TestTokens } from '@cumulet/testing/test-tokens';
import type { LoadBalancerConfig } from './config.js';
import { DATA_PLANE } from './data-plane/data-plane.js';
import { SimulatedDataPlane } from './data-plane/simulated-data-plane.js';
import { loadBalancerService } from './service.js';
import { FakeBalancers } from './network/balancers.fixture.js';
import { BALANCERS, NETWORKS } from './network/networks.port.js';
import { FakeNetworks } from './network/networks.fixture.js';
import { FakeSecrets } from './tls/secrets.fixture.js';
import { SECRETS } from './tls/tls-reader.js';
import { FakeVips } from './vip/vips.fixture.js';
import { VipsService } from './vip/vips.service.js';

/** A resource on the wire, as far as tests read it. */
export type Wire = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly project_id: string;
  readonly provisioning_status: string;
  readonly operating_status: string;
};

export interface LoadBalancerFixture extends StartedService<LoadBalancerConfig> {
  readonly client: TestClient;
  readonly tokens: TestTokens;
  readonly ctx: RequestContext;
  readonly dataPlane: SimulatedDataPlane;
  readonly vips: FakeVips;
  readonly networks: FakeNetworks;
  readonly secrets: FakeSecrets;
  readonly balancers: FakeBalancers;
  readonly project: string;
  /** Tokens of `project`. */
  readonly member: string;
  readonly reader: string;
  /** Tokens of projects of their own. */
  readonly stranger: string;
  readonly admin: string;
  readonly service: string;
  /** One with its VIP on the subnet of everybody, unless the body says otherwise; it runs. */
  createLoadBalancer(body?: object, token?: string): Promise<Wire>;
  /** Asks for a resource below `/v2.0/lbaas`, such as `pools/…`, by its name there. */
  show(path: string, name: string, token?: string): Promise<Wire>;
}

export interface LoadBalancerOptions extends StartOptions<LoadBalancerConfig> {
  /** Another process of the same service, in the same network. */
  readonly beside?: LoadBalancerFixture;
  readonly losesDatabase?: boolean;
  /** The network service as it is when this one starts. */
  readonly networks?: FakeNetworks;
  /** What its host has from earlier on. */
  readonly dataPlane?: SimulatedDataPlane;
}

export async function startLoadBalancer(
  options: LoadBalancerOptions = {},
): Promise<LoadBalancerFixture> {
  const { overrides = [], dataPlane = new SimulatedDataPlane(), networks: own, ...rest } = options;
  const vips = rest.beside?.vips ?? new FakeVips();
  const networks = rest.beside?.networks ?? own ?? new FakeNetworks();
  const secrets = rest.beside?.secrets ?? new FakeSecrets();
  const balancers = rest.beside?.balancers ?? new FakeBalancers();
  const started = await startService(
    loadBalancerService,
    { LOADBALANCER_DATA_PLANE: 'simulated' },
    {
      ...rest,
      overrides: [
        { provide: DATA_PLANE, useValue: dataPlane },
        { provide: VipsService, useValue: vips },
        { provide: NETWORKS, useValue: networks },
        { provide: SECRETS, useValue: secrets },
        { provide: BALANCERS, useValue: balancers },
        ...overrides,
      ],
    },
  );
  const { tokens, client } = started;
  const projectId = rest.beside?.project ?? newId();
  const member = await tokens.issue(['member'], { projectId });
  const read = ({ status, text, body }: TestResponse, name: string): Wire => {
    if (status >= 300) throw new Error(text);
    return (body as Record<string, Wire>)[name] as Wire;
  };
  const show = async (path: string, name: string, token = member): Promise<Wire> =>
    read(await client.get(`/v2.0/lbaas/${path}`, { token }), name);
  return {
    ...started,
    show,
    async createLoadBalancer(given = {}, token = member) {
      const loadbalancer = { vip_subnet_id: networks.subnet.id, ...given };
      const body = { loadbalancer };
      const made = await client.post('/v2.0/lbaas/loadbalancers', { token, body });
      await started.settle();
      return show(`loadbalancers/${read(made, 'loadbalancer').id}`, 'loadbalancer', token);
    },
    dataPlane,
    vips,
    networks,
    secrets,
    balancers,
    project: projectId,
    member,
    reader: await tokens.issue(['reader'], { projectId }),
    stranger: await tokens.issue(['member']),
    admin: await tokens.issue(['admin']),
    service: await tokens.issue(['service']),
  };
}

/** @returns status, type and message of an error, which each client finds where it looks for it */
export function refusal({ status, body }: TestResponse): [number, string, string] {
  const { NetworkError, faultstring } = body as {
    NetworkError: { type: string; message: string };
    faultstring: string;
  };
  if (faultstring !== NetworkError.message) throw new Error(`'${faultstring}' is another message`);
  return [status, NetworkError.type, NetworkError.message];
}
