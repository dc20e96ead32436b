/** Starts the network service for tests, with a database of its own and a simulated data plane. */
import 'reflect-metadata';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Resource } from '@cumulet/common/resources/resource';
import { controllersOf } from '@cumulet/common/service/feature';
import type { TestClient, TestResponse } from '@cumulet/testing/http-client';
import { startService } from '@cumulet/testing/start-service';
import type { StartedService, StartOptions } from '@cumulet/testing/start-service';
import { newId, type TestTokens } from '@cumulet/testing/test-tokens';
import type { NetworkConfig } from './config.js';
import { DATA_PLANE } from './data-plane/data-plane.js';
import { SimulatedDataPlane } from './data-plane/simulated-data-plane.js';
import { networkService } from './service.js';

/** The path below `/v2.0` of each controller of `resourceController`, and its resource. */
export const RESOURCES = networkService.features.flatMap(controllersOf).flatMap((controller) => {
  const { resource } = controller as { readonly resource?: Resource<object> };
  const path = Reflect.getMetadata(PATH_METADATA, controller) as string;
  return resource ? [[path.replace('v2.0/', ''), resource] as const] : [];
});

/** A resource in wire form, with the properties that tests read. */
export type Wire = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly project_id: string;
  readonly status: string;
  readonly revision_number: number;
  readonly fixed_ips: readonly { readonly ip_address: string; readonly subnet_id: string }[];
};

export interface NetworkFixture extends StartedService<NetworkConfig> {
  readonly client: TestClient;
  readonly tokens: TestTokens;
  readonly ctx: RequestContext;
  readonly dataPlane: SimulatedDataPlane;
  readonly project: string;
  /** Tokens of `project`. */
  readonly member: string;
  readonly reader: string;
  /** Tokens of other projects. */
  readonly stranger: string;
  readonly admin: string;
  readonly service: string;
  /** @throws Error unless the status is 201 */
  create(plural: string, fields: object, token?: string): Promise<Wire>;
  show(plural: string, id: string, token?: string): Promise<Wire>;
  list(path: string, token?: string): Promise<Wire[]>;
  /** A network with one subnet. */
  networkWith(cidr: string, subnet?: object): Promise<{ network: Wire; subnet: Wire }>;
}

export async function startNetwork(
  options: StartOptions<NetworkConfig> = {},
): Promise<NetworkFixture> {
  const dataPlane = new SimulatedDataPlane();
  const { overrides = [], ...rest } = options;
  const started = await startService(
    networkService,
    { NETWORK_DATA_PLANE: 'simulated' },
    {
      ...rest,
      overrides: [{ provide: DATA_PLANE, useValue: dataPlane }, ...overrides],
    },
  );
  const { client, tokens } = started;
  const projectId = newId();
  const member = await tokens.issue(['member'], { projectId });

  const create: NetworkFixture['create'] = async (plural, fields, token = member) => {
    const key = plural.slice(0, -1);
    const answer = await client.post(`/v2.0/${pathOf(plural)}`, { token, body: { [key]: fields } });
    if (answer.status !== 201) throw new Error(`create answered ${answer.status}: ${answer.text}`);
    return (answer.body as Record<string, Wire>)[key] as Wire;
  };

  return {
    ...started,
    dataPlane,
    project: projectId,
    member,
    reader: await tokens.issue(['reader'], { projectId }),
    stranger: await tokens.issue(['member']),
    admin: await tokens.issue(['admin']),
    service: await tokens.issue(['service']),
    create,
    async show(plural, id, token = member) {
      const { body } = await client.get(`/v2.0/${pathOf(plural)}/${id}`, { token });
      return (body as Record<string, Wire>)[plural.slice(0, -1)] as Wire;
    },
    async list(path, token = member) {
      const { status, body, text } = await client.get(`/v2.0/${path}`, { token });
      if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
      return Object.values(body as Record<string, Wire[]>)[0] ?? [];
    },
    async networkWith(cidr, fields = {}) {
      const network = await create('networks', { name: 'net' });
      const ip_version = cidr.includes(':') ? 6 : 4;
      const body = { network_id: network.id, cidr, ip_version, ...fields };
      return { network, subnet: await create('subnets', body) };
    },
  };
}

function pathOf(plural: string): string {
  return plural.replaceAll('_', '-');
}

/** The status of a refusal and Neutron's class. */
export function refusalOf({ status, body }: TestResponse): [number, string | undefined] {
  const { NetworkError: error } = body as { NetworkError?: { type: string } };
  return [status, error?.type];
}

export function messageOf({ body }: TestResponse): string | undefined {
  return (body as { NetworkError?: { message: string } }).NetworkError?.message;
}
