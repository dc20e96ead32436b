/** The images service with a database, tokens and any store of its own. */
import { UNIFIED_LIMITS } from '@cumulet/clients/identity/limits.sweep';
import 'reflect-metadata';
import type { ServiceApp } from '@cumulet/common/app/service-app';
import type { ByteStore } from '@cumulet/storage/stores/byte-store';
import { MemoryStore } from '@cumulet/storage/stores/memory-store';
import type { TestDatabase } from '@cumulet/testing/database';
import type { DatabaseProxy } from '@cumulet/testing/database-proxy';
import type { TestClient, TestResponse } from '@cumulet/testing/http-client';
import { startService, testConfig as testConfigOf } from '@cumulet/testing/start-service';
import { newId, type TestTokens } from '@cumulet/testing/test-tokens';
import type { ImagesConfig } from './config.js';
import { FakeLimits } from './upkeep/limits.fixture.js';
import { imagesService } from './service.js';
import { IMAGE_STORE } from './store/image-store.js';

/** The part of an image that tests read. */
export type WireImage = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly status: string;
};

export class TestImages<Store extends ByteStore = MemoryStore> {
  private constructor(
    readonly app: ServiceApp,
    readonly client: TestClient,
    readonly tokens: TestTokens,
    readonly store: Store,
    readonly database: TestDatabase,
    /** The service's connection to its database. */
    readonly wire: DatabaseProxy,
    readonly project: string,
    /** Tokens of `project`. */
    readonly member: string,
    readonly reader: string,
    /** A token of a project of its own. */
    readonly stranger: string,
    readonly admin: string,
    readonly service: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(config: Partial<ImagesConfig> = {}): Promise<TestImages> {
    return TestImages.on(new MemoryStore('image'), config);
  }

  static async on<Store extends ByteStore>(
    store: Store,
    config: Partial<ImagesConfig> = {},
    losesDatabase = false,
  ): Promise<TestImages<Store>> {
    const started = await startService(imagesService, ENVIRONMENT, {
      config,
      losesDatabase,
      overrides: [
        { provide: IMAGE_STORE, useValue: store },
        { provide: UNIFIED_LIMITS, useValue: new FakeLimits() },
      ],
    });
    const { app, client, tokens, database, wire } = started;
    const projectId = newId();
    return new TestImages(
      app,
      client,
      tokens,
      store,
      database,
      wire,
      projectId,
      await tokens.issue(['member'], { projectId }),
      await tokens.issue(['reader'], { projectId }),
      await tokens.issue(['member']),
      await tokens.issue(['admin']),
      await tokens.issue(['service']),
      () => started.stop(),
    );
  }

  /** Creates an image of `project` that can take data. */
  async create(fields: object = {}, token = this.member): Promise<WireImage> {
    const body = { name: 'one', disk_format: 'raw', container_format: 'bare', ...fields };
    const { status, body: image, text } = await this.client.post('/v2/images', { token, body });
    if (status !== 201) throw new Error(`create answered ${status}: ${text}`);
    return image as WireImage;
  }

  upload(id: string, data: Uint8Array | string, token = this.member): Promise<TestResponse> {
    return this.client.put(`/v2/images/${id}/file`, {
      token,
      body: data,
      headers: { 'Content-Type': 'application/octet-stream' },
    });
  }

  /** An active image of `project` with this data. */
  async createActive(data: Uint8Array | string, fields: object = {}): Promise<WireImage> {
    const { id } = await this.create(fields);
    const { status, text } = await this.upload(id, data);
    if (status !== 204) throw new Error(`upload answered ${status}: ${text}`);
    return this.show(id);
  }

  async show(id: string, token = this.admin): Promise<WireImage> {
    return (await this.client.get(`/v2/images/${id}`, { token })).body as WireImage;
  }

  /** Shares an image of `project`. */
  share(id: string, member: string, token = this.member): Promise<TestResponse> {
    return this.client.post(`/v2/images/${id}/members`, { token, body: { member } });
  }

  /** Accepts or rejects, with a token of the member. */
  answer(id: string, member: string, status: string, token: string): Promise<TestResponse> {
    return this.client.put(`/v2/images/${id}/members/${member}`, { token, body: { status } });
  }

  /** Gives images distinct creation times, oldest first, since equal ones sort by ID. */
  async makeInOrder(ids: readonly string[]): Promise<void> {
    await this.app.dataSource.query(
      `UPDATE images
          SET created_at = now() - interval '1 day'
                + array_position($1::uuid[], id) * interval '1 second'
        WHERE id = ANY($1::uuid[])`,
      [ids],
    );
  }

  async objects(): Promise<string[]> {
    const ids: string[] = [];
    for await (const id of this.store.list()) ids.push(id);
    return ids;
  }
}

export const ENVIRONMENT = { IMAGES_STORE: 'memory', IMAGES_SCRUB_BYTES_PER_SECOND: '0' };

export function testConfig(databaseUrl: string): ImagesConfig {
  return testConfigOf(imagesService, databaseUrl, ENVIRONMENT);
}

/** The common form of errors. */
export function errorOf(response: TestResponse): { key: string; code: number; message: string } {
  const [entry] = Object.entries(
    response.body as Record<string, { code: number; message: string }>,
  );
  if (!entry) throw new Error(`no error body: ${response.text}`);
  return { key: entry[0], ...entry[1] };
}
