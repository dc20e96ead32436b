/** Compute on a database of its own, with a simulated host, a fake images service, and tokens. */
import { randomUUID } from 'node:crypto';
import type { TestResponse } from '@cumulet/testing/http-client';
import { settle } from '@cumulet/testing/settle';
import { startService, testConfig, type StartedService } from '@cumulet/testing/start-service';
import { newId } from '@cumulet/testing/test-tokens';
import type { ComputeConfig } from './config.js';
import { ChosenHypervisor } from './hypervisor/choose-hypervisor.js';
import type { HypervisorDriver } from './hypervisor/hypervisor-driver.js';
import { SimulatedHypervisor } from './hypervisor/simulated-hypervisor.js';
import { FakeImages } from './images.fixture.js';
import { IMAGES } from './images.port.js';
import { FakeNetworks } from './networks.fixture.js';
import { NETWORKS } from './networks.port.js';
import { FakeProjects } from './projects.fixture.js';
import { PROJECTS } from './projects.port.js';
import { computeService } from './service.js';

export interface ComputeFixture extends StartedService<ComputeConfig> {
  readonly images: FakeImages;
  readonly networks: FakeNetworks;
  readonly projects: FakeProjects;
  readonly hypervisor: SimulatedHypervisor;
  readonly projectId: string;
  readonly token: string;
  /** Posts a buildable server, with `server` overriding its properties. */
  createServer(server?: object, token?: string): Promise<TestResponse>;
  /** Creates a server and waits until it is settled. */
  buildServer(server?: object): Promise<string>;
  /** Requests a server's action: `{ 'os-stop': null }`. */
  act(id: string, body: unknown, by?: Asking): Promise<TestResponse>;
  /** As `act`, and waits for its end. @throws Error if it is refused */
  done(id: string, body: object, by?: Asking): Promise<TestResponse>;
  /** Deletes all servers, and waits until they are gone. */
  deleteServers(): Promise<void>;
  /** The server as its project sees it. */
  show(id: string, token?: string): Promise<Record<string, unknown>>;
}

/** A caller, by default the project's member, and a minor microversion, by default 1. */
export interface Asking {
  readonly token?: string;
  readonly minor?: number;
}

export interface ComputeFixtureOptions {
  readonly config?: Partial<ComputeConfig>;
  readonly hypervisor?: SimulatedHypervisor;
  /** Replaces the simulated driver. */
  readonly driver?: HypervisorDriver;
  /** A cloud without a network service. */
  readonly withoutNetworks?: boolean;
  /** Another process of the same service, on its database, with its tokens and images. */
  readonly beside?: ComputeFixture;
  readonly losesDatabase?: boolean;
}

const ENVIRONMENT = {
  COMPUTE_SECRET_KEY: 'a key of the tests, which need no strong one',
  CUMULET_METADATA_SECRET: 'known to the network service, too',
  CUMULET_HOST: 'host-1',
};

export function testComputeConfig(databaseUrl: string): ComputeConfig {
  return testConfig(computeService, databaseUrl, ENVIRONMENT);
}

export async function startCompute(options: ComputeFixtureOptions = {}): Promise<ComputeFixture> {
  const { beside } = options;
  const images = beside?.images ?? new FakeImages();
  const networks = beside?.networks ?? new FakeNetworks();
  const projects = beside?.projects ?? new FakeProjects();
  const hypervisor = options.hypervisor ?? new SimulatedHypervisor();
  const chosen = new ChosenHypervisor(options.driver ?? hypervisor, 'the test asks for it');
  const started = await startService(computeService, ENVIRONMENT, {
    config: options.config ?? {},
    beside,
    losesDatabase: options.losesDatabase ?? false,
    overrides: [
      { provide: IMAGES, useValue: images },
      { provide: NETWORKS, useValue: options.withoutNetworks ? undefined : networks },
      { provide: PROJECTS, useValue: projects },
      { provide: ChosenHypervisor, useValue: chosen },
    ],
  });
  const { app, client, tokens } = started;
  const projectId = beside?.projectId ?? newId();
  const token = await tokens.issue(['member', 'reader'], { projectId });

  const createServer = (server: object = {}, as = token): Promise<TestResponse> =>
    client.post('/servers', {
      token: as,
      body: { server: { name: 'web-1', imageRef: images.bootable, flavorRef: '1', ...server } },
    });
  const act: ComputeFixture['act'] = (id, body, { token: as = token, minor = 1 } = {}) =>
    client.post(`/servers/${id}/action`, {
      token: as,
      body,
      headers: { 'OpenStack-API-Version': `compute 2.${minor}` },
    });
  return {
    ...started,
    images,
    networks,
    projects,
    hypervisor,
    projectId,
    token,
    createServer,
    async buildServer(server) {
      const response = await createServer(server);
      if (response.status !== 202) throw new Error(response.text);
      await settle(app.dataSource);
      return (response.body as { server: { id: string } }).server.id;
    },
    act,
    async done(id, body, by) {
      const response = await act(id, body, by);
      if (response.status >= 300) throw new Error(response.text);
      await settle(app.dataSource);
      return response;
    },
    async deleteServers() {
      const admin = await tokens.issue(['admin']);
      const rows: { id: string }[] = await app.dataSource.query('SELECT id FROM servers');
      for (const { id } of rows) {
        const response = await client.delete(`/servers/${id}`, { token: admin });
        if (response.status !== 204) throw new Error(response.text);
      }
      await settle(app.dataSource);
    },
    async show(id, as = token) {
      const response = await client.get(`/servers/${id}`, { token: as });
      if (response.status !== 200) throw new Error(response.text);
      return (response.body as { server: Record<string, unknown> }).server;
    },
  };
}

export function unknownId(): string {
  return randomUUID();
}
