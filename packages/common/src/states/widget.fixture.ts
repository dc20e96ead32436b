/** A resource for tests, with everything that a resource can have. */
import { randomUUID } from 'node:crypto';
import {
  Check,
  Column,
  Entity,
  Index,
  PrimaryColumn,
  type DataSource,
  type MigrationInterface,
  type QueryRunner,
} from 'typeorm';
import { createTestDatabase } from '@cumulet/testing/database';
import { asId } from '../context/ids.js';
import { RequestContext } from '../context/request-context.js';
import { createDataSource } from '../database/data-source.js';
import { newRequestId } from '../context/request-id.js';
import { closeJobPool } from '../jobs/job-pool.js';
import { Jobs1796400000000 } from '../jobs/jobs.migration.js';
import { defineStates } from './state-table.js';
import { StatefulColumns } from './stateful.columns.js';

export type WidgetState = 'making' | 'mending' | 'there' | 'broken' | 'worn';
export type WidgetEvent = 'made' | 'mend' | 'mended' | 'fail' | 'failMending';

export const widgetStates = defineStates<WidgetState, WidgetEvent>({
  resource: 'widget',
  table: 'widgets',
  initial: 'making',
  failure: ['fail', 'failMending'],
  states: {
    making: { about: 'It is being made.', deadline: 60 },
    mending: { about: 'It is being mended.', deadline: 60 },
    there: { about: 'It is there.' },
    broken: { about: 'It is broken.' },
    worn: { about: 'It could not be mended.' },
  },
  events: {
    made: { from: ['making'], to: 'there', by: 'the reconciler' },
    mend: { from: ['there', 'broken', 'worn'], to: 'mending', by: 'POST mend' },
    mended: { from: ['mending'], to: 'there', by: 'the reconciler' },
    fail: {
      from: ['making', 'mending'],
      to: 'broken',
      set: { maker: null },
      by: 'the reconciler',
    },
    failMending: { from: ['mending'], to: 'worn', by: 'the reconciler' },
  },
});

@Entity('widgets')
@Index('widgets_name_key', ['projectId', 'name'], { unique: true, where: 'size = 0' })
@Check('widgets_size_check', 'size >= 0')
export class Widget extends StatefulColumns {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'widgets_pkey' })
  id: string;

  declare state: WidgetState;

  @Column('text', { name: 'project_id' })
  projectId: string;

  @Column('text')
  name: string;

  @Column('integer')
  size: number;

  /** Who is making it; null when nobody is. */
  @Column('text', { nullable: true })
  maker: string | null;

  @Column('jsonb', { default: [] })
  parts: string[];

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}

export class CreateWidgets1 implements MigrationInterface {
  readonly name = 'CreateWidgets1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE widgets (
        id uuid CONSTRAINT widgets_pkey PRIMARY KEY,
        project_id text NOT NULL,
        name text NOT NULL,
        size integer NOT NULL CONSTRAINT widgets_size_check CHECK (size >= 0),
        state text NOT NULL,
        previous_state text,
        state_since timestamptz NOT NULL DEFAULT now(),
        state_deadline timestamptz,
        state_reason text,
        generation integer NOT NULL DEFAULT 1,
        maker text,
        parts jsonb NOT NULL DEFAULT '[]',
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX widgets_name_key ON widgets (project_id, name) WHERE size = 0',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE widgets');
  }
}

export function createWidgetDataSource(url: string): DataSource {
  return createDataSource({
    url,
    poolSize: 8,
    applicationName: 'widgets',
    entities: [Widget],
    migrations: [Jobs1796400000000, CreateWidgets1],
  });
}

export type Widgets = Awaited<ReturnType<typeof startWidgets>>;

/** A database with widgets in it, and the context of a project's member. */
export async function startWidgets() {
  const database = await createTestDatabase({ name: 'widget', dataSource: createWidgetDataSource });
  const dataSource = createWidgetDataSource(database.url);
  await dataSource.initialize();
  const ctx = new RequestContext({
    requestId: newRequestId(),
    userId: asId('user'),
    projectId: asId('project'),
    roles: ['member'],
    manager: dataSource.manager,
  });
  return {
    url: database.url,
    dataSource,
    ctx,
    /** Inserts a widget, in its first state by default. */
    async insert(values: Partial<Widget> = {}) {
      const id = randomUUID();
      const stateDeadline = new Date(Date.now() + 60_000);
      const first = { id, projectId: 'project', name: id, size: 1, state: 'making', stateDeadline };
      await dataSource.manager.insert(Widget, { ...first, ...values } as Widget);
      return id;
    },
    read: (id: string) => dataSource.manager.findOneByOrFail(Widget, { id }),
    async stop() {
      await closeJobPool(dataSource);
      await dataSource.destroy();
      await database.drop();
    },
  };
}
