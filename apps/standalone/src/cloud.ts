/**
 * All services in one process behind one port. The standalone program and the tests of the whole
 * cloud build theirs here; they differ in where Postgres comes from and in the drivers.
 */
import { join } from 'node:path';
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
import type { Secrets } from './secrets.js';

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
  /** `http://127.0.0.1:8080` */
  readonly url: string;
  /** Services in the order in which they were started, with their addresses. */
  readonly services: readonly { readonly name: string; readonly url: string }[];
  /** Which drivers run, and why. */
  readonly drivers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** The services with their ingress paths. */
export const SERVICE_PATHS = {
  identity: '/identity',
  images: '/image',
  compute: '/compute',
} as const;

type ServiceName = keyof typeof SERVICE_PATHS;

/** Listens, then starts identity, and then the services that stand on it. */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const ingress = new Ingress();
  for (const path of Object.values(SERVICE_PATHS)) ingress.reserve(path);
  const port = await ingress.listen(options.port, options.listenHost);
  const local = `http://${options.listenHost === '0.0.0.0' ? '127.0.0.1' : options.listenHost}:${port}`;
  const url = options.publicUrl ?? local;
  const started: ServiceApp[] = [];
  const stop = async (): Promise<void> => {
    await ingress.close();
    for (const app of [...started].reverse()) await app.stop();
  };
  const start = async (name: ServiceName, app: ServiceApp): Promise<void> => {
    started.push(app);
    await app.start();
    ingress.mount(SERVICE_PATHS[name], app);
  };
  try {
    const env = environment(options, { local, url });
    const listen = options.servicePorts;
    await start(
      'identity',
      createIdentityApp(loadIdentityConfig(env), { logger: options.logger('identity'), listen }),
    );
    const compute = await createComputeApp(loadComputeConfig(env), {
      logger: options.logger('compute'),
      listen,
    });
    await Promise.all([
      start(
        'images',
        createImagesApp(loadImagesConfig(env), { logger: options.logger('images'), listen }),
      ),
      start('compute', compute.app),
    ]);
    return {
      url,
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

/** What the services are told, under what a person has set. */
function environment(options: CloudOptions, at: { local: string; url: string }): Environment {
  const { secrets, dataDir, env } = options;
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  return {
    CUMULET_HOST: 'standalone',
    IMAGES_STORE_FOLDER: join(dataDir, 'images'),
    IMAGES_IMPORT_FOLDER: join(dataDir, 'imports'),
    COMPUTE_DATA_DIR: join(dataDir, 'compute'),
    IDENTITY_DEMO_PASSWORD: secrets.demoPassword,
    ...given,
    CUMULET_ROLE: 'all',
    IDENTITY_DATABASE_URL: options.databaseUrl('identity'),
    IMAGES_DATABASE_URL: options.databaseUrl('images'),
    COMPUTE_DATABASE_URL: options.databaseUrl('compute'),
    IDENTITY_PUBLIC_URL: at.url + SERVICE_PATHS.identity,
    IMAGES_PUBLIC_URL: at.url + SERVICE_PATHS.images,
    COMPUTE_PUBLIC_URL: at.url + SERVICE_PATHS.compute,
    CUMULET_IDENTITY_PUBLIC_URL: at.url + SERVICE_PATHS.identity,
    CUMULET_ENDPOINT_IMAGE: at.url + SERVICE_PATHS.images,
    CUMULET_ENDPOINT_COMPUTE: at.url + SERVICE_PATHS.compute,
    // Sister services need no way around through the public address.
    CUMULET_IDENTITY_URL: at.local + SERVICE_PATHS.identity,
    CUMULET_IMAGES_URL: at.local + SERVICE_PATHS.images,
    CUMULET_SERVICE_PASSWORD: secrets.servicePassword,
    IDENTITY_SECRET_KEY: secrets.identityKey,
    COMPUTE_SECRET_KEY: secrets.computeKey,
    IDENTITY_ADMIN_PASSWORD: secrets.adminPassword,
  };
}
