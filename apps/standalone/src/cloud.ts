/**
 * All services in one process behind one port. The standalone program and the tests of the whole
 * cloud build theirs here; they differ in their Postgres and their drivers.
 */
import type { Logger } from 'pino';
import { MetricsServer } from '@cumulet/common/app/metrics-server';
import type { Service } from '@cumulet/common/app/define-service';
import { ServiceApp } from '@cumulet/common/app/service-app';
import { isIPv6 } from 'node:net';
import { Ingress } from './ingress/ingress.js';
import type { Environment } from './config.js';
import type { Secrets } from './secrets.js';
import { serviceEnvironment } from './service-environment.js';
import { SERVICES } from './services.js';
import { StartupError } from './startup-error.js';

export interface CloudOptions {
  /** Absolute; each service keeps its files in its own folder below it. */
  readonly dataDir: string;
  readonly listenHost: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Seconds that a client may read nothing of its answer; a minute by default. */
  readonly unreadSeconds?: number;
  readonly publicUrl: string | undefined;
  /** CIDR of the external network `public`; empty or absent without one. */
  readonly publicCidr?: string;
  /** Whether each service listens on its own port as well. */
  readonly servicePorts: boolean;
  readonly metricsListenHost?: string;
  /** Port of the metrics of all services; absent to serve none. */
  readonly metricsPort?: number | undefined;
  readonly secrets: Secrets;
  /** The services to run; all by default. */
  readonly services?: readonly Service[];
  /** Settings given by the user, which override derived ones. */
  readonly env: Environment;
  logger(service: string): Logger;
  databaseUrl(service: string): string;
}

export interface Cloud {
  /** `http://127.0.0.1:8080`, or as clients see it. */
  readonly url: string;
  /** The address that this machine reaches, whatever clients see. */
  readonly localUrl: string;
  /** Services in the order of their start, with their addresses. */
  readonly services: readonly { readonly name: string; readonly url: string }[];
  /** The URL of the metrics, if they are served. */
  readonly statisticsUrl?: string | undefined;
  readonly drivers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Listens, then starts the first service, identity, and then those that depend on it. */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const { services = SERVICES } = options;
  const ingress = new Ingress(options);
  for (const { path, ownPort } of services) if (!ownPort) ingress.reserve(path);
  const port = await listening({ ...options, prefix: 'CUMULET' }, () =>
    ingress.listen(options.port, options.listenHost),
  );
  const local = localUrl(options.listenHost, port);
  const url = options.publicUrl ?? local;
  const started: ServiceApp[] = [];
  const statistics = new MetricsServer(() => started.map(({ metrics }) => metrics));
  const stop = async (): Promise<void> => {
    for (const app of started) app.announceStop();
    // In reverse order, as each depends on earlier ones.
    for (const app of [...started].reverse()) await app.stop();
    await ingress.close();
    await statistics.close();
  };
  try {
    const guests = `127.0.0.1:${await ingress.listenForGuests()}`;
    const statisticsUrl = await serveStatistics(statistics, options);
    const env = serviceEnvironment(services, options, { local, url, guests });
    // A bad setting of any service is reported before the first one starts.
    const loaded = services.map((service) => ({ service, config: service.load(env) }));
    const build = ({ service, config }: (typeof loaded)[number]) => {
      const app = new ServiceApp(service, config, {
        logger: options.logger(service.name),
        listen: options.servicePorts || service.ownPort === true,
        // Identity's verifier, which reads its own rows, serves all.
        verifier: started[0]?.verifier,
      });
      started.push(app);
      return { service, config, app };
    };
    const start = async ({ service, config, app }: ReturnType<typeof build>): Promise<void> => {
      const { name, path } = service;
      await listening({ ...config, prefix: name.toUpperCase() }, () => app.start());
      if (!service.ownPort) ingress.mount(path, app);
    };
    for (const first of loaded.slice(0, 1)) await start(build(first));
    const others = loaded.slice(1).map(build);
    const prepared = others.map(({ app }) => app.prepare());
    // All finish before a failure is thrown, so that nothing runs when they are stopped.
    await Promise.allSettled(prepared);
    await Promise.all(prepared);
    await Promise.all(others.map(start));
    const drivers = (await Promise.all(started.map((app) => app.drivers()))).flat();
    return {
      url,
      localUrl: local,
      services: loaded.map(({ service: { name, settings, ownPort }, config }, at) => {
        const isDrawn = ownPort === true && config.port === 0;
        const address = isDrawn ? started[at]?.address : env[settings.publicUrl.env];
        return { name, url: address ?? url };
      }),
      statisticsUrl,
      drivers: Object.fromEntries(drivers.map(({ kind, reason }) => [kind, reason])),
      stop,
    };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/** @returns the address, where a port is given */
async function serveStatistics(
  statistics: MetricsServer,
  { metricsPort, metricsListenHost = '127.0.0.1' }: CloudOptions,
): Promise<string | undefined> {
  if (metricsPort === undefined) return undefined;
  const listener = { prefix: 'CUMULET_METRICS', listenHost: metricsListenHost, port: metricsPort };
  const port = await listening(listener, () => statistics.listen(metricsPort, metricsListenHost));
  return `${localUrl(metricsListenHost, port)}/metrics`;
}

interface Listener {
  /** The prefix of its settings: `CUMULET` for `CUMULET_PORT` and `CUMULET_LISTEN_HOST`. */
  readonly prefix: string;
  readonly listenHost: string;
  readonly port: number;
}

/** The address to reach instead of a wildcard address. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The address at which this machine reaches the listener. */
export function localUrl(listenHost: string, port: number): string {
  const host = LOOPBACK[listenHost] ?? listenHost;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** @throws StartupError naming the setting if `start` cannot listen; other errors unchanged */
export async function listening<T>(listener: Listener, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const line = listenFailure(error as ListenFailure, listener);
    throw line === undefined ? error : new StartupError(line, { cause: error });
  }
}

type ListenFailure = NodeJS.ErrnoException & { readonly port?: number; readonly hostname?: string };

function listenFailure(
  error: ListenFailure,
  { prefix, listenHost, port }: Listener,
): string | undefined {
  const listener = error.port ?? port;
  switch (`${error.syscall ?? ''} ${error.code ?? ''}`) {
    case 'listen EADDRINUSE':
      return `Port ${listener} is in use: stop what listens there, or choose another with ${prefix}_PORT`;
    case 'listen EACCES':
      return `Port ${listener} is not open to this user: choose another with ${prefix}_PORT`;
    case 'listen EADDRNOTAVAIL':
    case 'getaddrinfo ENOTFOUND':
      // Other failed look-ups are not about the listen address.
      if (error.hostname !== undefined && error.hostname !== listenHost) return undefined;
      return `${prefix}_LISTEN_HOST must be an address of this machine; "${listenHost}" is not`;
    default:
      return undefined;
  }
}
