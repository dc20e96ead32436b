/** The services as the generated documents describe them: built, but never started. */
import type { Settings } from '@cumulet/common/config/settings';
import { routesOf } from '@cumulet/common/http/route-table';
import type { ServiceApp } from '@cumulet/common/http/service-app';
import { createLogger } from '@cumulet/common/observe/logger';
import type { StateTable } from '@cumulet/common/states/state-table';
import { createComputeApp } from '@cumulet/compute/app';
import { computeSettings, loadComputeConfig } from '@cumulet/compute/config';
import { serverStates } from '@cumulet/compute/servers/server.states';
import { createIdentityApp } from '@cumulet/identity/app';
import { identitySettings, loadIdentityConfig } from '@cumulet/identity/config';
import { createImagesApp } from '@cumulet/images/app';
import { imagesSettings, loadImagesConfig } from '@cumulet/images/config';
import { imageStates } from '@cumulet/images/images/image.states';
import type { ServiceDescription } from './documents.js';

/** Enough for a service to be built; nothing is connected to. */
const ENVIRONMENT = {
  CUMULET_ROLE: 'api',
  CUMULET_IDENTITY_URL: 'http://127.0.0.1:1',
  CUMULET_IMAGES_URL: 'http://127.0.0.1:1',
  CUMULET_SERVICE_PASSWORD: 'unused',
  IDENTITY_DATABASE_URL: 'postgres://127.0.0.1:1/unused',
  IDENTITY_SECRET_KEY: '0'.repeat(64),
  IDENTITY_ADMIN_PASSWORD: 'unused',
  IMAGES_DATABASE_URL: 'postgres://127.0.0.1:1/unused',
  IMAGES_STORE: 'memory',
  COMPUTE_DATABASE_URL: 'postgres://127.0.0.1:1/unused',
  COMPUTE_SECRET_KEY: 'unused',
};

export async function describeServices(): Promise<ServiceDescription[]> {
  const logger = createLogger('generate', 'silent');
  const identity = createIdentityApp(loadIdentityConfig(ENVIRONMENT), { logger });
  const images = createImagesApp(loadImagesConfig(ENVIRONMENT), { logger });
  const compute = await createComputeApp(loadComputeConfig(ENVIRONMENT), { logger });
  return [
    await describeService(identity, identitySettings, []),
    await describeService(images, imagesSettings, [imageStates]),
    await describeService(compute.app, computeSettings, [serverStates]),
  ];
}

async function describeService(
  app: ServiceApp,
  settings: Settings,
  states: readonly StateTable[],
): Promise<ServiceDescription> {
  const nest = await app.describe();
  const { name } = app;
  const description = {
    name,
    routes: routesOf(nest),
    openApi: app.contract.document(),
    settings,
    states,
  };
  await app.stop();
  return description;
}
