/** Compute on a database of its own, with a simulated host, an images service of the test's, and tokens. */
import { randomUUID } from 'node:crypto';
import { createLogger } from '@cumulet/common/observe/logger';
import type { ServiceApp } from '@cumulet/common/http/service-app';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { DatabaseProxy } from '@cumulet/testing/database-proxy';
import { TestClient, type TestResponse } from '@cumulet/testing/http-client';
import { settle } from '@cumulet/testing/settle';
import { newId, TestTokens } from '@cumulet/testing/test-tokens';
import { createComputeApp } from './app.js';
import { loadComputeConfig, type ComputeConfig } from './config.js';
import { createComputeDataSource } from './database/compute-data-source.js';
import { SimulatedHypervisor } from './hypervisor/simulated-hypervisor.js';
import { FakeImages } from './images.fixture.js';

export interface ComputeFixture {
  readonly app: ServiceApp;
  readonly database: TestDatabase;
  readonly client: TestClient;
  readonly tokens: TestTokens;
  readonly images: FakeImages;
  readonly hypervisor: SimulatedHypervisor;
  /** The service's wire to its database. */
  readonly wire: DatabaseProxy;
  /** What the service has logged, oldest first. */
  readonly logs: readonly Record<string, unknown>[];
  /** A project, and its member's token. */
  readonly projectId: string;
  readonly token: string;
  /** Returns once no work is left. */
  settle(): Promise<void>;
  /** Posts a server that can be built, with `server` laid over it. */
  createServer(server?: object, token?: string): Promise<TestResponse>;
  /** Creates a server and waits until it is settled. */
  buildServer(server?: object): Promise<string>;
  /** Deletes every server there is, and waits until they are gone. */
  deleteServers(): Promise<void>;
  /** The server as its project sees it. */
  show(id: string, token?: string): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

export interface ComputeFixtureOptions {
  readonly config?: Partial<ComputeConfig>;
  readonly hypervisor?: SimulatedHypervisor;
  /** Another process of the same service: on its database, with its tokens and images. */
  readonly beside?: ComputeFixture;
}

export function testComputeConfig(databaseUrl: string): ComputeConfig {
  return loadComputeConfig({
    COMPUTE_DATABASE_URL: databaseUrl,
    CUMULET_IDENTITY_URL: 'http://127.0.0.1:1',
    CUMULET_IMAGES_URL: 'http://127.0.0.1:1',
    CUMULET_SERVICE_PASSWORD: 'unused',
    COMPUTE_SECRET_KEY: 'a key of the tests, which need no strong one',
    COMPUTE_PORT: '0',
    COMPUTE_LISTEN_HOST: '127.0.0.1',
    CUMULET_HOST: 'host-1',
    CUMULET_LOG_LEVEL: 'silent',
  });
}

export async function startCompute(options: ComputeFixtureOptions = {}): Promise<ComputeFixture> {
  const { beside } = options;
  const database =
    beside?.database ?? (await createTestDatabase('compute', createComputeDataSource));
  const tokens = beside?.tokens ?? (await TestTokens.create());
  const images = beside?.images ?? new FakeImages();
  const hypervisor = options.hypervisor ?? new SimulatedHypervisor();
  const wire = await DatabaseProxy.to(database.url);
  const logs: Record<string, unknown>[] = [];
  const { app } = await createComputeApp(
    { ...testComputeConfig(wire.url), ...options.config },
    {
      logger: createLogger('compute', 'info', {
        write: (line) => logs.push(JSON.parse(line) as Record<string, unknown>),
      }),
      authority: tokens,
      images,
      hypervisor: { driver: hypervisor, reason: 'the test asks for it' },
    },
  );
  await app.start();
  const client = TestClient.of(app);
  const projectId = beside?.projectId ?? newId();
  const token = await tokens.issue(['member', 'reader'], { projectId });

  const createServer = (server: object = {}, as = token): Promise<TestResponse> =>
    client.post('/servers', {
      token: as,
      body: { server: { name: 'web-1', imageRef: images.bootable, flavorRef: '1', ...server } },
    });
  return {
    app,
    database,
    client,
    tokens,
    images,
    hypervisor,
    wire,
    logs,
    projectId,
    token,
    createServer,
    settle: () => settle(app.dataSource),
    async buildServer(server) {
      const response = await createServer(server);
      if (response.status !== 202) throw new Error(response.text);
      await settle(app.dataSource);
      return (response.body as { server: { id: string } }).server.id;
    },
    async deleteServers() {
      const admin = await tokens.issue(['admin']);
      const rows: { id: string }[] = await app.dataSource.query('SELECT id FROM servers');
      for (const { id } of rows) await client.delete(`/servers/${id}`, { token: admin });
      await settle(app.dataSource);
    },
    async show(id, as = token) {
      const response = await client.get(`/servers/${id}`, { token: as });
      if (response.status !== 200) throw new Error(response.text);
      return (response.body as { server: Record<string, unknown> }).server;
    },
    async stop() {
      await app.stop();
      await wire.cut();
      if (!beside) await database.drop();
    },
  };
}

/** An id that nothing has. */
export function unknownId(): string {
  return randomUUID();
}
