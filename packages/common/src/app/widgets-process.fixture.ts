/** The widgets service as a process. Its arguments are its settings: `WIDGETS_PORT=8998`. */
import 'reflect-metadata';
import { runService } from './run-service.js';
import { widgetsService } from './widgets-service.fixture.js';

const settings = process.argv.slice(2).map((argument): [string, string] => {
  const at = argument.indexOf('=');
  return [argument.slice(0, at), argument.slice(at + 1)];
});
await runService(widgetsService, Object.fromEntries(settings));
process.stdout.write('ready\n');
