/**
 * The services as docker-compose.yml composes them, without Docker: each container of a service is an
 * app of this process, on the container's settings. Names of containers become addresses of this machine,
 * volumes temporary folders, and Postgres is the tests'.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Setting } from '@cumulet/common/config/settings';
import type { Service } from '@cumulet/common/app/define-service';
import { ServiceApp } from '@cumulet/common/app/service-app';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { freePort } from '@cumulet/testing/free-port';
import { TestClient } from '@cumulet/testing/http-client';
import { composed, type Composed } from './composed.fixture.js';
import { SERVICES } from './services.js';

interface Container {
  readonly name: string;
  readonly service: Service;
  readonly composed: Composed;
  readonly port: number;
}

export class ComposedCloud {
  readonly #databases = new Map<string, TestDatabase>();
  readonly #apps: ServiceApp[] = [];
  /** What `.env` has. */
  readonly #secrets = new Map<string, string>();

  private constructor(
    private readonly containers: readonly Container[],
    private readonly folder: string,
  ) {}

  static async start(): Promise<ComposedCloud> {
    const containers: Container[] = [];
    for (const [name, one] of Object.entries(composed)) {
      const service = SERVICES.find((each) =>
        one.command?.includes(`apps/${each.name}/dist/main.js`),
      );
      if (service) containers.push({ name, service, composed: one, port: await freePort() });
    }
    const folder = await mkdtemp(join(tmpdir(), 'cumulet-composed-'));
    const cloud = new ComposedCloud(containers, folder);
    try {
      // Each after those that it needs, as the file has them.
      for (const container of containers) await cloud.#run(container);
    } catch (error) {
      await cloud.stop();
      throw error;
    }
    return cloud;
  }

  async stop(): Promise<void> {
    for (const app of this.#apps.reverse()) await app.stop();
    for (const database of this.#databases.values()) await database.drop();
    await rm(this.folder, { recursive: true });
  }

  /** @param service its name; clients reach the one container of it that has a port */
  client(service: string): TestClient {
    const container = this.containers.find((one) => one.service.name === service && isOpen(one));
    return new TestClient(`http://127.0.0.1:${container?.port}`);
  }

  /** A secret of `.env`, drawn when it is first asked for. */
  secret(name: string): string {
    const known = this.#secrets.get(name) ?? randomBytes(32).toString('hex');
    this.#secrets.set(name, known);
    return known;
  }

  async #run({ service, composed: { environment = {} }, port }: Container): Promise<void> {
    const { name, settings } = service;
    const database = this.#databases.get(name) ?? (await createTestDatabase(service));
    this.#databases.set(name, database);
    const folders = Object.values<Setting<unknown>>(settings).flatMap(
      ({ env, folder }): [string, string][] => (folder ? [[env, join(this.folder, folder)]] : []),
    );
    const given = Object.entries(environment).map(([key, value]): [string, string] => [
      key,
      this.#local(value),
    ]);
    const app = new ServiceApp(
      service,
      service.load({
        ...Object.fromEntries<string>([...folders, ...given]),
        [settings.databaseUrl.env]: database.url,
        [settings.port.env]: String(port),
        [settings.listenHost.env]: '127.0.0.1',
        CUMULET_LOG_LEVEL: 'silent',
      }),
    );
    this.#apps.push(app);
    await app.start();
  }

  /** A value of the file: with what `.env` has, and addresses on this machine. */
  #local(value: string): string {
    return value
      .replaceAll(
        /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
        (_, name: string, byDefault?: string) => byDefault || this.secret(name),
      )
      .replaceAll(/http:\/\/([\w.-]+):(\d+)/g, (_, host: string, port: string) => {
        const container =
          this.containers.find(({ name }) => name === host) ??
          this.containers.find((one) => isOpen(one) && one.service.port === Number(port));
        return `http://127.0.0.1:${container?.port}`;
      });
  }
}

const isOpen = (container: Container): boolean => container.composed.ports !== undefined;
