/** A resource of the bench: three phases that find their work done, and perhaps one that follows. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { createDataSource } from '@cumulet/common/database/data-source';
import { Jobs1796400000000 } from '@cumulet/common/jobs/jobs.migration';
import { selectRow } from '@cumulet/common/database/rows';
import { nudge } from '@cumulet/common/jobs/nudge';
import { phase, type Plan, type Reconciler } from '@cumulet/common/reconcile/reconciler';
import { Reconciles } from '@cumulet/common/service/background';
import { defineStates } from '@cumulet/common/states/state-table';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import { transition } from '@cumulet/common/states/transition';
import {
  Column,
  Entity,
  PrimaryColumn,
  type DataSource,
  type MigrationInterface,
  type QueryRunner,
} from 'typeorm';

export type PartState = 'waiting' | 'making' | 'there' | 'broken';
export type PartEvent = 'make' | 'made' | 'fail';

export const partStates = defineStates<PartState, PartEvent>({
  resource: 'part',
  table: 'parts',
  initial: 'waiting',
  failure: 'fail',
  states: {
    waiting: { about: 'The part that it follows is not there yet.' },
    making: { about: 'It is being made.', deadline: 3_600 },
    there: { about: 'It is there.' },
    broken: { about: 'It could not be made.' },
  },
  events: {
    make: { from: ['waiting'], to: 'making', by: 'the part that it follows' },
    made: { from: ['making'], to: 'there', by: 'the reconciler' },
    fail: { from: ['making'], to: 'broken', by: 'the reconciler' },
  },
});

@Entity('parts')
export class Part extends StatefulColumns {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'parts_pkey' })
  id: string;

  declare state: PartState;

  /** The part that is made once this one is there. */
  @Column('uuid', { name: 'next_id', nullable: true })
  nextId: string | null;
}

@Reconciles()
export class PartReconciler implements Reconciler<Part, PartState, PartEvent> {
  readonly states = partStates;
  /** How many have been made. */
  made = 0;
  readonly plans: Partial<Record<PartState, Plan<Part, PartEvent>>> = {
    making: {
      phases: ['cut', 'drill', 'glue'].map((name) => phase<Part>(name, () => Promise.resolve())),
      then: 'made',
    },
  };

  taskOf(): string {
    return 'part';
  }

  load(ctx: RequestContext, id: string): Promise<Part | undefined> {
    return selectRow(ctx.manager, Part, 'WHERE id = $1', [id]);
  }

  async ended(tx: RequestContext, id: string): Promise<void> {
    this.made += 1;
    const next = (await this.load(tx, id))?.nextId;
    if (!next) return;
    await transition(tx, partStates, next, 'make');
    await nudge(tx, { task: 'part', resource: 'part', id: next });
  }
}

class CreateParts1 implements MigrationInterface {
  readonly name = 'CreateParts1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE parts (
        id uuid CONSTRAINT parts_pkey PRIMARY KEY,
        next_id uuid,
        state text NOT NULL,
        previous_state text,
        state_since timestamptz NOT NULL DEFAULT now(),
        state_deadline timestamptz,
        state_reason text,
        generation integer NOT NULL DEFAULT 1
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE parts');
  }
}

export function createPartDataSource(url: string): DataSource {
  return createDataSource({
    url,
    poolSize: 8,
    applicationName: 'parts',
    entities: [Part],
    migrations: [Jobs1796400000000, CreateParts1],
  });
}
