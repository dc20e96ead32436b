/**
 * A separate process that takes nudges of widgets and never finishes one: a test kills it half way.
 * Its argument is the database's address, which here holds no password.
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
