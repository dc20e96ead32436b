/** The services as the generated documents describe them: built, but never started. */
import { exampleEnvironment } from '@cumulet/common/config/settings';
import { routesOf } from '@cumulet/common/http/route-table';
import { createLogger } from '@cumulet/common/observe/logger';
import { reconcilersAmong } from '@cumulet/common/service/background';
import type { Service } from '@cumulet/common/app/define-service';
import { providersOf } from '@cumulet/common/service/feature';
import { ServiceApp } from '@cumulet/common/app/service-app';
import { handlersAmong } from '@cumulet/s3/operations/operation';
import type { ServiceDescription } from './documents.js';

export async function describeService(service: Service): Promise<ServiceDescription> {
  const { name, settings } = service;
  const config = service.load({ ...exampleEnvironment(settings), CUMULET_ROLE: 'api' });
  const app = new ServiceApp(service, config, { logger: createLogger('generate', 'silent') });
  const nest = await app.describe();
  const reconcilers = reconcilersAmong(providersOf(nest), config);
  const description = {
    name,
    routes: routesOf(nest),
    openApi: app.contract.document(),
    settings,
    s3Operations: new Set<string>(handlersAmong(providersOf(nest)).keys()),
    states: [...new Set(reconcilers.map(({ reconciler }) => reconciler.states))],
  };
  await app.stop();
  return description;
}
