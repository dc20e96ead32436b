/**
 * The life cycle of a service: database and migrations in parallel with the API, then start-up
 * work, workers, sweeps and the port; stopped in reverse order.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider } from '@nestjs/common';
import type { Logger } from 'pino';
import { type DataSource, MigrationExecutor } from 'typeorm';
import { TokenVerifier } from '../auth/token-verifier.js';
import { RequestContext } from '../context/request-context.js';
import { databaseUrlOf, despiteLateConnections } from '../database/data-source.js';
import type { ErrorEnvelope } from '../http/error-envelope.js';
import { createHttpApp, type Contract, type HttpApp } from './create-http-app.js';
import { takeWebSockets, UpgradedSockets, WebSockets } from '../http/upgrades.js';
import { newRequestId } from '../context/request-id.js';
import { closeJobPool } from '../jobs/job-pool.js';
import { Liveness } from '../jobs/liveness.js';
import { SweepLoop } from '../jobs/sweep.js';
import { createLogger } from '../observe/logger.js';
import { Metrics } from '../observe/metrics.js';
import { runHooks, sweepsAmong } from '../service/background.js';
import { ChosenDriver, LateChoice, type DriverLine } from '../service/chosen-driver.js';
import type { Service } from './define-service.js';
import { Drain } from '../service/drain.js';
import { providersOf } from '../service/feature.js';
import { ServiceWork } from './service-work.js';
import type { ServiceConfig } from '../service/service-settings.js';
import { withSessionLock } from '../database/advisory-lock.js';

export interface ServiceAppOptions {
  readonly logger?: Logger;
  /** False if another server forwards requests to it. */
  readonly listen?: boolean;
  /** Replacements for the features' providers of these tokens. */
  readonly overrides?: readonly Provider[];
  /** The token verifier of another service of this process. */
  readonly verifier?: TokenVerifier | undefined;
}

/** Time for aborted requests to answer. */
const CUT_OFF_MS = 2_000;

/** The only way to build a service: its program, the standalone cloud and the tests use it. */
export class ServiceApp<Config extends ServiceConfig = ServiceConfig> {
  readonly name: string;
  readonly dataSource: DataSource;
  /** Served by `MetricsServer`, not by the API. */
  readonly metrics: Metrics;
  readonly #logger: Logger;
  readonly #drain = new Drain();
  readonly #liveness: Liveness;
  #http: HttpApp | undefined;
  #prepared: Promise<HttpApp['nest']> | undefined;
  #work: ServiceWork | undefined;
  #upkeep: SweepLoop | undefined;
  #address: string | undefined;
  readonly #upgraded = new UpgradedSockets();

  constructor(
    private readonly service: Service<Config>,
    private readonly config: Config,
    private readonly options: ServiceAppOptions = {},
  ) {
    this.name = service.name;
    this.dataSource = service.dataSource(config.databaseUrl, config.databasePoolSize);
    this.#logger = options.logger ?? createLogger(service.name, config.logLevel);
    this.metrics = new Metrics(service.name);
    this.#liveness = new Liveness(databaseUrlOf(this.dataSource), (error) =>
      this.#logger.warn({ err: error }, 'lost the liveness connection of this process'),
    );
  }

  get envelope(): ErrorEnvelope {
    return this.service.envelope;
  }

  /** `http://host:port` of its own port, once started with one. */
  get address(): string | undefined {
    return this.#address;
  }

  get nest(): HttpApp['nest'] {
    if (!this.#http) throw new Error(`${this.name} has not been started`);
    return this.#http.nest;
  }

  get contract(): Contract {
    if (!this.#http) throw new Error(`${this.name} has not been started`);
    return this.#http.contract;
  }

  /** Shared with the other services of this process. */
  get verifier(): TokenVerifier | undefined {
    return providersOf(this.nest).find((provider) => provider instanceof TokenVerifier);
  }

  /** The drivers that its features chose, for the start-up lines; all services must run by then. */
  async drivers(): Promise<readonly DriverLine[]> {
    const providers = providersOf(this.nest);
    const chosen = providers.filter((provider) => provider instanceof ChosenDriver);
    const late = providers.filter((provider) => provider instanceof LateChoice);
    const ctx = RequestContext.system(newRequestId(), this.dataSource.manager);
    const lines = late.map(async (one) => ({ kind: one.kind, reason: await one.reason(ctx) }));
    return [...chosen, ...(await Promise.all(lines))];
  }

  /** Builds only the HTTP half, without a database: for tools that read the routes and the document. */
  async describe(): Promise<HttpApp['nest']> {
    const { service, config, dataSource } = this;
    this.#http ??= await createHttpApp({
      service,
      config,
      dataSource,
      logger: this.#logger,
      metrics: this.metrics,
      drain: this.#drain,
      liveness: this.#liveness,
      overrides: this.options.overrides ?? [],
      verifier: this.options.verifier,
    });
    return this.#http.nest;
  }

  /**
   * Connects, migrates and builds the API, which takes seconds of computing. A process with several
   * services prepares them all before it starts one, so that none waits for Postgres while another
   * computes, and mistakes a timely answer for a late one.
   */
  prepare(): Promise<HttpApp['nest']> {
    this.#prepared ??= this.#prepare();
    return this.#prepared;
  }

  async start(): Promise<void> {
    const { config, dataSource } = this;
    const nest = await this.prepare();
    const providers = providersOf(nest);
    const ctx = RequestContext.system(newRequestId(), dataSource.manager);
    await runHooks(providers, 'start', ctx);
    const everywhere = sweepsAmong(providers, config, true);
    this.#upkeep = new SweepLoop(dataSource, this.#logger, everywhere, this.#liveness);
    this.#upkeep.start();
    if (config.role !== 'api') {
      const [logger, metrics, liveness] = [this.#logger, this.metrics, this.#liveness];
      this.#work = new ServiceWork({ providers, config, dataSource, logger, metrics, liveness });
      await this.#work.start(ctx);
    }
    if (this.options.listen !== false) await this.#listen(nest);
  }

  async #prepare(): Promise<HttpApp['nest']> {
    // In parallel, since one waits for Postgres while the other computes. Workers build the API
    // too, for probes.
    const steps = [this.#connect(), this.describe()] as const;
    // Both finish before a failure is thrown, so that nothing runs when `stop` is called.
    await Promise.allSettled(steps);
    const [, nest] = await Promise.all(steps);
    return nest;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#http) throw new Error(`${this.name} has not been started`);
    this.#http.handle(request, response);
  }

  /** Handles WebSocket connections; undefined if the service has none. */
  get upgrade(): WebSockets['upgrade'] | undefined {
    const target = this.#webSockets;
    return (
      target &&
      ((request, socket, head) => {
        this.#upgraded.add(socket);
        target.upgrade(request, socket, head);
      })
    );
  }

  get #webSockets(): WebSockets | undefined {
    return providersOf(this.nest).find((provider) => provider instanceof WebSockets);
  }

  /** Reports not ready, but accepts requests until `stop`. */
  announceStop(): void {
    this.#drain.announce();
  }

  /** Finishes running requests and jobs in time, and returns other jobs to the queue. */
  async stop(): Promise<void> {
    this.#liveness.abandon();
    await Promise.all([this.#drain.finish(this.config.drainSeconds), this.#work?.stop()]);
    await this.#upkeep?.stop();
    await this.#close();
    await this.#liveness.stop();
    await closeJobPool(this.dataSource);
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  /** Aborts running requests, then disconnects their clients. */
  async #close(): Promise<void> {
    const nest = this.#http?.nest;
    if (!nest) return;
    this.#upgraded.destroy();
    const cutOff = setTimeout(() => {
      this.#drain.cutOff();
      nest.getHttpServer().closeAllConnections();
    }, CUT_OFF_MS);
    await nest.close().finally(() => clearTimeout(cutOff));
  }

  #connect(): Promise<void> {
    return despiteLateConnections(async () => {
      if (!this.dataSource.isInitialized) await this.dataSource.initialize();
      await migrate(this.dataSource);
    });
  }

  async #listen(nest: HttpApp['nest']): Promise<void> {
    const { upgrade } = this;
    if (upgrade) takeWebSockets(nest.getHttpServer(), upgrade, this.envelope);
    await nest.listen(this.config.port, this.config.listenHost);
    const { address, port, family } = nest.getHttpServer().address() as AddressInfo;
    this.#address = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }
}

const MIGRATION_LOCK = 'cumulet:migrate';

export async function migrate(dataSource: DataSource): Promise<void> {
  await withSessionLock(dataSource, MIGRATION_LOCK, async ({ queryRunner }) => {
    const executor = new MigrationExecutor(dataSource, queryRunner);
    executor.transaction = 'each';
    await executor.executePendingMigrations();
  });
}
