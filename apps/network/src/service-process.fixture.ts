/** The service in a separate process, for tests that kill it. Its arguments are its settings. */
import 'reflect-metadata';
import { ServiceApp } from '@cumulet/common/app/service-app';
import { networkService } from './service.js';

const settings = process.argv.slice(2).map((argument): [string, string] => {
  const at = argument.indexOf('=');
  return [argument.slice(0, at), argument.slice(at + 1)];
});
const app = new ServiceApp(networkService, networkService.load(Object.fromEntries(settings)));
process.once('SIGTERM', () => void app.stop().then(() => process.exit(0)));
await app.start();
process.stdout.write('ready\n');
