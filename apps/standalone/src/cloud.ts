/**
 * All services in one process behind one port. The standalone program and the tests of the whole
 * cloud build theirs here; they differ in where Postgres comes from and in the drivers.
 */
import type { Logger } from 'pino';
import { Ingress } from '@cumulet/common/http/ingress';
import type { ServiceApp } from '@cumulet/common/http/service-app';
import { createComputeApp } from '@cumulet/compute/app';
import { loadComputeConfig } from '@cumulet/compute/config';
import { createIdentityApp } from '@cumulet/identity/app';
import { loadIdentityConfig } from '@cumulet/identity/config';
import { createImagesApp } from '@cumulet/images/app';
import { loadImagesConfig } from '@cumulet/images/config';
import type { Environment } from './config.js';
import { listening, localUrl, type Listener } from './listener.js';
import type { Secrets } from './secrets.js';
import { SERVICE_PATHS, serviceEnvironment } from './service-environment.js';

export interface CloudOptions {
  /** Absolute; each service keeps its files in a folder of its own below it. */
  readonly dataDir: string;
  readonly listenHost: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly publicUrl: string | undefined;
  /** Whether each service listens on its own port as well. */
  readonly servicePorts: boolean;
  readonly secrets: Secrets;
  /** Settings of the services that a person gave; they come before what is derived here. */
  readonly env: Environment;
  logger(service: string): Logger;
  databaseUrl(service: string): string;
}

export interface Cloud {
  /** `http://127.0.0.1:8080`, or as clients see it. */
  readonly url: string;
  /** The one that this machine reaches, whatever clients see. */
  readonly localUrl: string;
  /** Services in the order in which they were started, with their addresses. */
  readonly services: readonly { readonly name: string; readonly url: string }[];
  /** Which drivers run, and why. */
  readonly drivers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

type ServiceName = keyof typeof SERVICE_PATHS;
type ListenSettings = Omit<Listener, 'prefix'>;

/** Listens, then starts identity, and then the services that stand on it. */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const ingress = new Ingress();
  for (const path of Object.values(SERVICE_PATHS)) ingress.reserve(path);
  const port = await listening({ ...options, prefix: 'CUMULET' }, () =>
    ingress.listen(options.port, options.listenHost),
  );
  const local = localUrl(options.listenHost, port);
  const url = options.publicUrl ?? local;
  const started: ServiceApp[] = [];
  const stop = async (): Promise<void> => {
    await ingress.close();
    for (const app of [...started].reverse()) await app.stop();
  };
  const start = async (name: ServiceName, app: ServiceApp, at: ListenSettings): Promise<void> => {
    started.push(app);
    await listening({ ...at, prefix: name.toUpperCase() }, () => app.start());
    ingress.mount(SERVICE_PATHS[name], app);
  };
  try {
    const env = serviceEnvironment(options, { local, url });
    const settings = {
      identity: loadIdentityConfig(env),
      images: loadImagesConfig(env),
      compute: loadComputeConfig(env),
    };
    const overrides = (name: ServiceName): { logger: Logger; listen: boolean } => ({
      logger: options.logger(name),
      listen: options.servicePorts,
    });
    const identity = createIdentityApp(settings.identity, overrides('identity'));
    await start('identity', identity, settings.identity);
    const compute = await createComputeApp(settings.compute, overrides('compute'));
    const images = createImagesApp(settings.images, overrides('images'));
    await Promise.all([
      start('images', images, settings.images),
      start('compute', compute.app, settings.compute),
    ]);
    return {
      url,
      localUrl: local,
      services: started.map(({ name }) => ({
        name,
        url: url + SERVICE_PATHS[name as ServiceName],
      })),
      drivers: { hypervisor: compute.hypervisor?.reason ?? 'none' },
      stop,
    };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}
