import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { eventually } from '@cumulet/testing/settle';
import { startWidgets, type Widgets } from '../states/widget.fixture.js';
import { Readiness } from '../service/readiness.js';
import { DatabaseWatch } from './database-watch.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});
afterAll(() => widgets.stop());

/** As Postgres fails where a table grows on a full disk. */
const FULL = `RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'`;

it('a full disk is noticed by a failure, and until a table can grow again', async () => {
  const { dataSource } = widgets;
  const readiness = new Readiness(pino({ level: 'silent' }));
  const watch = new DatabaseWatch(dataSource, readiness, () => undefined);
  readiness.started();
  watch.start();
  await dataSource.query(`
    CREATE FUNCTION refuse_to_grow() RETURNS event_trigger LANGUAGE plpgsql
      AS $$ BEGIN ${FULL}; END $$;
    CREATE EVENT TRIGGER full_disk ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS')
      EXECUTE FUNCTION refuse_to_grow()`);
  await watch.look();
  expect(readiness.isReady).toBe(true);

  await dataSource.query(`DO $$ BEGIN ${FULL}; END $$`).catch((error: unknown) => {
    watch.note(error);
  });
  await eventually('it is not ready', () => !readiness.isReady);
  expect(() => readiness.requireReady()).toThrow(
    'The database of the service has no space left at present.',
  );
  // What needs no room is answered.
  expect(readiness.isOpen).toBe(true);

  await dataSource.query('DROP EVENT TRIGGER full_disk');
  await watch.look();
  expect(readiness.isReady).toBe(true);
  await watch.stop();
});
