/** A sealing key is replaced without a loss, and digests stay what they are. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { eventually } from '@cumulet/testing/settle';
import {
  Column,
  type DataSource,
  Entity,
  type MigrationInterface,
  PrimaryColumn,
  type QueryRunner,
} from 'typeorm';
import { RequestContext } from '../context/request-context.js';
import { Seal } from '../crypto/seal.js';
import { createDataSource } from '../database/data-source.js';
import { closeJobPool } from '../jobs/job-pool.js';
import { createLogger } from '../observe/logger.js';
import { Resealing, SealedSecret } from './resealing.js';
import { SealedSecrets1799800000000 } from './sealed-secrets.migration.js';

@Entity('notes')
class Note {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'notes_pkey' })
  owner: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'notes_pkey' })
  number: number;

  @Column('text')
  body: string;

  @Column('text', { nullable: true })
  remark: string | null;
}

class Notes1799000000000 implements MigrationInterface {
  readonly name = 'Notes1799000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE notes (owner text, number integer, body text NOT NULL,
      remark text, CONSTRAINT notes_pkey PRIMARY KEY (owner, number))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notes');
  }
}

const open = (url: string): DataSource =>
  createDataSource({
    url,
    poolSize: 4,
    applicationName: 'sealing',
    entities: [Note, SealedSecret],
    migrations: [Notes1799000000000, SealedSecrets1799800000000],
  });

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;
let logged: string[];

beforeAll(async () => {
  database = await createTestDatabase({ name: 'sealing', dataSource: open });
  dataSource = await open(database.url).initialize();
  ctx = RequestContext.system('req-sealing', dataSource.manager);
});
beforeEach(async () => {
  logged = [];
  await dataSource.query('TRUNCATE notes, sealed_secrets');
});
afterAll(async () => {
  await closeJobPool(dataSource);
  await dataSource.destroy();
  await database.drop();
});

interface Process {
  readonly seal: Seal;
  readonly resealing: Resealing;
}

/** Of a service with these keys, as it has started. */
async function processWith(current: string, ...others: string[]): Promise<Process> {
  const seal = new Seal(current, others);
  const resealing = resealingBy(seal);
  await resealing.adoptSigningKey(ctx);
  return { seal, resealing };
}

function resealingBy(seal: Seal): Resealing {
  const logger = createLogger('sealing', 'info', { write: (line) => void logged.push(line) });
  return new Resealing(seal, logger, {
    prefix: 'NOTES',
    columns: { notes: ['body', 'remark'] },
  });
}

async function keep(seal: Seal, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await dataSource.query('INSERT INTO notes VALUES ($1, $2, $3, $4)', [
      `owner ${number % 3}`,
      number,
      seal.seal(`body ${number}`),
      number % 2 === 0 ? null : seal.seal(`remark ${number}`),
    ]);
}

const notes = (): Promise<Note[]> => dataSource.query('SELECT * FROM notes ORDER BY number');

async function opened(seal: Seal): Promise<string[]> {
  const rows = await notes();
  return rows.map(({ body, remark }) => `${seal.open(body)}, ${remark && seal.open(remark)}`);
}

describe('a change of keys', () => {
  it('seals every row anew, after which the old key is not needed', async () => {
    const old = await processWith('old');
    await keep(old.seal, 60);
    const before = await opened(old.seal);
    const both = await processWith('new', 'old');
    expect(await opened(both.seal)).toEqual(before);
    await both.resealing.renew(ctx);
    expect(await opened(new Seal('new'))).toEqual(before);
  });

  it('lets processes start without the old key once nothing needs it, and says so', async () => {
    const old = await processWith('old');
    await keep(old.seal, 1);
    const both = await processWith('new', 'old');
    await both.resealing.renew(ctx);
    await expect(processWith('new')).rejects.toThrow(
      'NOTES_SECRET_KEY or NOTES_OLD_SECRET_KEYS must have the key',
    );
    expect(logged.join()).not.toContain('no row needs');
    await both.resealing.renew(ctx);
    expect(logged.join()).toContain('no row needs a key of NOTES_OLD_SECRET_KEYS');
    const { seal } = await processWith('new');
    expect(seal.digest('an address')).toBe(old.seal.digest('an address'));
  });

  it('seals anew what a process that has not changed yet writes meanwhile', async () => {
    const [ready, changed] = [await processWith('old', 'new'), await processWith('new', 'old')];
    await changed.resealing.renew(ctx);
    await keep(ready.seal, 3);
    expect(await opened(changed.seal)).toHaveLength(3);
    await changed.resealing.renew(ctx);
    expect(await opened(new Seal('new'))).toHaveLength(3);
  });

  it('leaves alone what changes between its reading and its writing', async () => {
    const old = await processWith('old');
    await keep(old.seal, 1);
    const both = await processWith('new', 'old');
    const change = dataSource.createQueryRunner();
    await change.startTransaction();
    await change.query('UPDATE notes SET body = $1', [old.seal.seal('changed')]);
    const renewed = both.resealing.renew(ctx);
    await eventually('the run waits for the row', async () => {
      const [row] = await dataSource.query<{ waiting: number }[]>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return row?.waiting === 1;
    });
    await change.commitTransaction();
    await change.release();
    await renewed;
    expect(await opened(old.seal)).toEqual(['changed, null']);
    await both.resealing.renew(ctx);
    expect(await opened(new Seal('new'))).toEqual(['changed, null']);
  });

  it('names what no key opens, after all others are done', async () => {
    await keep(new Seal('lost'), 1);
    const { seal } = await processWith('old');
    await dataSource.query('INSERT INTO notes VALUES ($1, 7, $2)', ['owner', seal.seal('kept')]);
    const both = await processWith('new', 'old');
    await expect(both.resealing.renew(ctx)).rejects.toThrow(
      'no configured key opens these rows: notes body owner 0 0',
    );
    expect((await notes()).map(({ body }) => body.startsWith(both.seal.currentPrefix))).toEqual([
      false,
      true,
    ]);
  });

  it('leaves texts alone that are not sealed', async () => {
    await dataSource.query(`INSERT INTO notes VALUES ('owner', 1, '{}')`);
    await (await processWith('new', 'old')).resealing.renew(ctx);
    expect(await notes()).toEqual([{ owner: 'owner', number: 1, body: '{}', remark: null }]);
  });
});
