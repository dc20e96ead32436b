/**
 * The settings of the services in one process: what is derived here and a person may change, what a
 * person has given, and what the services need of one another, which nobody changes.
 */
import { join } from 'node:path';
import type { Environment } from './config.js';
import type { Secrets } from './secrets.js';

/** The services with their ingress paths. */
export const SERVICE_PATHS = {
  identity: '/identity',
  images: '/image',
  compute: '/compute',
} as const;

export interface ServiceEnvironmentOptions {
  /** Absolute. */
  readonly dataDir: string;
  readonly listenHost: string;
  readonly secrets: Secrets;
  /** What a person has given. */
  readonly env: Environment;
  databaseUrl(service: string): string;
}

/**
 * @param at the cloud's address on this machine, and the one that clients use
 * @returns what all services are told
 */
export function serviceEnvironment(
  options: ServiceEnvironmentOptions,
  at: { readonly local: string; readonly url: string },
): Environment {
  const { secrets, dataDir, listenHost, env } = options;
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  return {
    CUMULET_HOST: 'standalone',
    IMAGES_STORE_FOLDER: join(dataDir, 'images'),
    IMAGES_IMPORT_FOLDER: join(dataDir, 'imports'),
    COMPUTE_DATA_DIR: join(dataDir, 'compute'),
    IDENTITY_LISTEN_HOST: listenHost,
    IMAGES_LISTEN_HOST: listenHost,
    COMPUTE_LISTEN_HOST: listenHost,
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
    IDENTITY_DEMO_PASSWORD: secrets.demoPassword,
  };
}
