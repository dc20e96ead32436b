/** A service as api tests start it: on its own database, with tokens that the test signs. */
import type { Provider } from '@nestjs/common';
import { exampleEnvironment } from '@cumulet/common/config/settings';
import { RequestContext } from '@cumulet/common/context/request-context';
import { newRequestId } from '@cumulet/common/context/request-id';
import { createLogger } from '@cumulet/common/observe/logger';
import type { Service } from '@cumulet/common/app/define-service';
import { ServiceApp } from '@cumulet/common/app/service-app';
import type { ServiceConfig } from '@cumulet/common/service/service-settings';
import { TOKEN_AUTHORITY } from '@cumulet/common/service/tokens';
import { createTestDatabase, type TestDatabase } from './database.js';
import { DatabaseProxy } from './database-proxy.js';
import { TestClient } from './http-client.js';
import { settle } from './settle.js';
import { TestTokens } from './test-tokens.js';

export interface StartedService<Config extends ServiceConfig> {
  readonly app: ServiceApp<Config>;
  readonly config: Config;
  readonly database: TestDatabase;
  /** The service's connection to its database, which a service with `losesDatabase` can lose. */
  readonly wire: DatabaseProxy;
  readonly client: TestClient;
  readonly tokens: TestTokens;
  /** The context of work that no request started. */
  readonly ctx: RequestContext;
  /** The service's log, oldest line first. */
  readonly logs: readonly Record<string, unknown>[];
  /** Returns once no work is left. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export interface StartOptions<Config extends ServiceConfig> {
  /** Settings that differ from those of `testConfig`. */
  readonly config?: Partial<Config>;
  readonly overrides?: readonly Provider[];
  /** The tokens that it accepts; new ones by default. */
  readonly tokens?: TestTokens | undefined;
  /** Whether the service keeps the token authority that its features provide. */
  readonly ownTokens?: boolean;
  /** Whether the test takes the service's database away: its connection then has one more hop. */
  readonly losesDatabase?: boolean;
  /** Another process of the same service: on its database, with its tokens. */
  readonly beside?: Pick<StartedService<Config>, 'database' | 'tokens'> | undefined;
}

/** The settings of a service under test, which listens on a free port. */
export function testConfig<Config extends ServiceConfig>(
  { settings, load }: Service<Config>,
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Config {
  return load({
    ...exampleEnvironment(settings),
    [settings.databaseUrl.env]: databaseUrl,
    [settings.listenHost.env]: '127.0.0.1',
    [settings.port.env]: '0',
    // Each connection is a process of Postgres, and half as many serve a test as well.
    [settings.databasePoolSize.env]: '5',
    CUMULET_LOG_LEVEL: 'silent',
    ...env,
  });
}

/** @param env as in `testConfig` */
export async function startService<Config extends ServiceConfig>(
  service: Service<Config>,
  env: Readonly<Record<string, string>>,
  options: StartOptions<Config> = {},
): Promise<StartedService<Config>> {
  const { config: changes, overrides = [], ownTokens = false, beside, losesDatabase } = options;
  const database = beside?.database ?? (await createTestDatabase(service));
  const tokens = options.tokens ?? beside?.tokens ?? (await TestTokens.create());
  const wire = new DatabaseProxy(database.url);
  if (losesDatabase) await wire.mend();
  const logs: Record<string, unknown>[] = [];
  const config = { ...testConfig(service, wire.url, env), ...changes };
  const app = new ServiceApp(service, config, {
    logger: createLogger(service.name, 'info', {
      write: (line) => logs.push(JSON.parse(line) as Record<string, unknown>),
    }),
    overrides: [
      ...(ownTokens ? [] : [{ provide: TOKEN_AUTHORITY, useValue: tokens }]),
      ...overrides,
    ],
  });
  await app.start();
  return {
    app,
    config,
    database,
    wire,
    client: TestClient.of(app, service),
    tokens,
    ctx: RequestContext.system(newRequestId(), app.dataSource.manager),
    logs,
    settle: () => settle(app.dataSource),
    async stop() {
      await app.stop();
      if (losesDatabase) await wire.cut();
      if (!beside) await database.drop();
    },
  };
}
