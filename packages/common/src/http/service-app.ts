/**
 * The life of a service: database and migrations beside the API, then workers and the port; stopped
 * in the other order. Each `createXApp(config, overrides)` returns one.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DataSource } from 'typeorm';
import { migrate } from '../database/migrate.js';
import { closeJobPool } from '../jobs/job-pool.js';
import type { Worker } from '../jobs/worker.js';
import type { Contract, HttpApp } from './create-http-app.js';
import type { ServiceRole } from './service-role.js';

export interface ServiceAppParts {
  readonly name: string;
  readonly role: ServiceRole;
  readonly dataSource: DataSource;
  /** Called once the database is migrated: rows that must exist (bootstrap, seeds), then the rest. */
  readonly prepare?: () => Promise<void>;
  readonly http: () => Promise<HttpApp>;
  readonly worker?: () => Pick<Worker, 'start' | 'stop'>;
  /** Address to listen on by itself; absent where another server hands requests over. */
  readonly listen?: { readonly host: string; readonly port: number } | undefined;
  /** Background activities with the app's life: refresh loops, drivers. */
  readonly stopAlso?: () => Promise<void>;
}

export class ServiceApp {
  #http: HttpApp | undefined;
  #worker: Pick<Worker, 'start' | 'stop'> | undefined;
  #address: string | undefined;

  constructor(private readonly parts: ServiceAppParts) {}

  get name(): string {
    return this.parts.name;
  }

  get dataSource(): DataSource {
    return this.parts.dataSource;
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

  /** Only the HTTP half, without a database: for tools that read the routes and the document. */
  async describe(): Promise<HttpApp['nest']> {
    this.#http ??= await this.parts.http();
    return this.#http.nest;
  }

  async start(): Promise<void> {
    const { parts } = this;
    // Side by side: the one waits for Postgres, the other has much to compute. The API is built in
    // every role: a worker's process still serves its probes and metrics.
    const steps = [this.#prepare(), this.describe()] as const;
    // Both have ended before either fails: nothing is at work any more when `stop` is called.
    await Promise.allSettled(steps);
    const [, nest] = await Promise.all(steps);
    if (parts.role !== 'api') {
      this.#worker = parts.worker?.();
      await this.#worker?.start();
    }
    if (parts.listen) {
      await nest.listen(parts.listen.port, parts.listen.host);
      const { address, port, family } = nest.getHttpServer().address() as AddressInfo;
      this.#address = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
    }
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#http) throw new Error(`${this.name} has not been started`);
    this.#http.handle(request, response);
  }

  async stop(): Promise<void> {
    const { dataSource, stopAlso } = this.parts;
    await this.#worker?.stop();
    await this.#http?.nest.close();
    await stopAlso?.();
    await closeJobPool(dataSource);
    if (dataSource.isInitialized) await dataSource.destroy();
  }

  async #prepare(): Promise<void> {
    await this.parts.dataSource.initialize();
    await migrate(this.parts.dataSource);
    await this.parts.prepare?.();
  }
}
