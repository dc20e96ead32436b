/**
 * A process of its own that takes nudges of widgets and never ends one: a test kills it in the
 * middle of the work. Its argument is the database's address, which holds no password here.
 */
import 'reflect-metadata';
import { createWidgetDataSource } from '../states/widget.fixture.js';
import { widgetWorker } from './job.fixture.js';

const dataSource = await createWidgetDataSource(process.argv[2] ?? '').initialize();
const worker = widgetWorker(dataSource, ({ id }) => {
  process.stdout.write(`took ${id}\n`);
  return new Promise(() => undefined);
});
await worker.start();
process.stdout.write('ready\n');
