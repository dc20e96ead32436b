/**
 * The life cycle of a service: database and migrations in parallel with the API, then start-up
 * work, workers, sweeps and the port; stopped in reverse order.
 *
 * Always holds: while the database is unfit for this process (usable-database.ts), it takes no jobs and
 * runs no sweeps, and the jobs that it had are others'.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Provider } from '@nestjs/common';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { TokenVerifier } from '../auth/token-verifier.js';
import { RequestContext } from '../context/request-context.js';
import { databaseUrlOf, despiteLateConnections } from '../database/data-source.js';
import { requireMigrated, requireUsable } from '../database/usable-database.js';
import { unavailableIn } from '../errors/foreign-errors.js';
import type { ErrorEnvelope } from '../http/error-envelope.js';
import { createHttpApp, type Contract, type HttpApp } from './create-http-app.js';
import { takeWebSockets, UpgradedSockets, WebSockets } from '../http/upgrades.js';
import { newRequestId } from '../context/request-id.js';
import { closeJobPool } from '../jobs/job-pool.js';
import { Liveness } from '../jobs/liveness.js';
import { SweepLoop } from '../jobs/sweep.js';
import { createLogger } from '../observe/logger.js';
import { Metrics } from '../observe/metrics.js';
import { hooksAmong, sweepsAmong } from '../service/background.js';
import { ChosenDriver, LateChoice, type DriverLine } from '../service/chosen-driver.js';
import type { Service } from './define-service.js';
import { Drain } from '../service/drain.js';
import { providersOf } from '../service/feature.js';
import { DatabaseWatch } from './database-watch.js';
import { migrate } from './migrate.js';
import { Readiness } from '../service/readiness.js';
import { ServiceWork } from './service-work.js';
import type { ServiceConfig } from '../service/service-settings.js';

export interface ServiceAppOptions {
  readonly logger?: Logger;
  /** False if another server forwards requests to it. */
  readonly listen?: boolean;
  /** Replacements for the features' providers of these tokens. */
  readonly overrides?: readonly Provider[];
  /**
   * Whether it listens first, and waits for what it needs however long that is away, rather than
   * fail. It is not ready meanwhile.
   */
  readonly waits?: boolean;
  /** The token verifier of another service of this process. */
  readonly verifier?: TokenVerifier | undefined;
}

/** Time for aborted requests to answer. */
const CUT_OFF_MS = 2_000;
/** Pauses between two tries of a start. */
const RETRY_MS = { first: 250, most: 2_000 };

/** The only way to build a service: its program, the standalone cloud and the tests use it. */
export class ServiceApp<Config extends ServiceConfig = ServiceConfig> {
  readonly name: string;
  readonly dataSource: DataSource;
  /** Served by `MetricsServer`, not by the API. */
  readonly metrics: Metrics;
  readonly #logger: Logger;
  readonly #drain = new Drain();
  readonly #liveness: Liveness;
  readonly #readiness: Readiness;
  readonly #database: DatabaseWatch;
  readonly #ending = new AbortController();
  #starting: Promise<void> | undefined;
  #http: HttpApp | undefined;
  #prepared: Promise<HttpApp['nest']> | undefined;
  #work: ServiceWork | undefined;
  /** Begins and ends the work one after the other. */
  #turn: Promise<void> = Promise.resolve();
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
    this.#readiness = new Readiness(this.#logger);
    this.#database = new DatabaseWatch(this.dataSource, this.#readiness, () => {
      this.#followReadiness();
    });
    this.#liveness = new Liveness(databaseUrlOf(this.dataSource), (error) =>
      this.#logger.warn({ err: error }, 'lost the liveness connection of this process'),
    );
  }

  get envelope(): ErrorEnvelope {
    return this.service.envelope;
  }

  /** `http://host:port`, or with https, of its own port, once started with one. */
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
      readiness: this.#readiness,
      database: this.#database,
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

  /** Returns once it is ready, or was stopped before. */
  start(): Promise<void> {
    this.#starting ??= this.#start().catch((error: unknown) => {
      if (!this.#ending.signal.aborted) throw error;
    });
    return this.#starting;
  }

  async #start(): Promise<void> {
    const { config, dataSource } = this;
    const { waits = false, listen = true } = this.options;
    if (waits && listen) await this.#listen(await this.describe());
    const nest = await this.prepare();
    const providers = providersOf(nest);
    const ctx = RequestContext.system(newRequestId(), dataSource.manager);
    const works = config.role !== 'api';
    const hooks = [
      ...hooksAmong(providers, 'start'),
      ...(works ? hooksAmong(providers, 'work') : []),
    ];
    for (const run of hooks) await this.#despiteOutages(() => run(ctx));
    this.#ending.signal.throwIfAborted();
    this.#readiness.started();
    this.#database.start();
    this.#followReadiness();
    await this.#turn;
    if (!waits && listen) await this.#listen(nest);
  }

  async #prepare(): Promise<HttpApp['nest']> {
    // In parallel, since one waits for Postgres while the other computes. Workers build the API
    // too, for probes.
    const steps = [this.#despiteOutages(() => this.#connect()), this.describe()] as const;
    // Both finish before a failure is thrown, so that nothing runs when `stop` is called.
    await Promise.allSettled(steps);
    const [, nest] = await Promise.all(steps);
    return nest;
  }

  /** Where this process waits, tries until nothing that it needs is unavailable. */
  async #despiteOutages(work: () => Promise<void>): Promise<void> {
    const { signal } = this.#ending;
    for (let pauseMs = RETRY_MS.first; ; pauseMs = Math.min(2 * pauseMs, RETRY_MS.most)) {
      try {
        signal.throwIfAborted();
        await work();
        return;
      } catch (error) {
        const reason = this.options.waits ? unavailableIn(error) : undefined;
        if (!reason || signal.aborted) throw error;
        this.#readiness.follow(reason);
        await pause(pauseMs, undefined, { signal });
      }
    }
  }

  #followReadiness(): void {
    this.#turn = this.#turn
      .then(() => (this.#mayWork ? this.#beginWork() : this.#endWork()))
      .catch((error: unknown) =>
        this.#logger.error({ err: error }, 'cannot begin or end the work'),
      );
  }

  get #mayWork(): boolean {
    return this.#readiness.isOpen && !this.#ending.signal.aborted;
  }

  async #beginWork(): Promise<void> {
    if (this.#upkeep) return;
    const { config, dataSource, metrics } = this;
    const [logger, liveness] = [this.#logger, this.#liveness];
    const providers = providersOf(this.nest);
    const everywhere = sweepsAmong(providers, config, true);
    this.#upkeep = new SweepLoop(dataSource, logger, everywhere, liveness);
    this.#upkeep.start();
    if (config.role === 'api') return;
    this.#work = new ServiceWork({ providers, config, dataSource, logger, metrics, liveness });
    await this.#work.start();
  }

  async #endWork(): Promise<void> {
    await this.#work?.stop();
    this.#work = undefined;
    await this.#upkeep?.stop();
    this.#upkeep = undefined;
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

  /**
   * Finishes running requests and jobs in time, and returns other jobs to the queue.
   * @param noticeSeconds for which requests are still accepted, though it is not ready
   */
  async stop(noticeSeconds = 0): Promise<void> {
    this.announceStop();
    this.#ending.abort();
    this.#liveness.abandon();
    await this.#starting?.catch(() => undefined);
    await this.#database.stop();
    this.#followReadiness();
    await Promise.all([this.#drainAfter(noticeSeconds), this.#turn]);
    await this.#close();
    await this.#liveness.stop();
    await closeJobPool(this.dataSource);
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  async #drainAfter(noticeSeconds: number): Promise<void> {
    if (noticeSeconds > 0) await pause(noticeSeconds * 1_000);
    await this.#drain.finish(this.config.drainSeconds);
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
    const { dataSource, config, service } = this;
    return despiteLateConnections(async () => {
      if (!dataSource.isInitialized) await dataSource.initialize();
      if (config.migrate) await migrate(dataSource, service.serves);
      else await requireMigrated(dataSource);
      await requireUsable(dataSource);
    });
  }

  async #listen(nest: HttpApp['nest']): Promise<void> {
    const { upgrade } = this;
    if (upgrade) {
      const isOpen = (): boolean => this.#readiness.isOpen;
      takeWebSockets(nest.getHttpServer(), upgrade, this.envelope, isOpen);
    }
    await nest.listen(this.config.port, this.config.listenHost);
    const { address, port, family } = nest.getHttpServer().address() as AddressInfo;
    const scheme = this.config.tlsCertificate === undefined ? 'http' : 'https';
    this.#address = `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }
}
