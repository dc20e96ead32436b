/**
 * A minimal service: parcels of a project, which a reconciler packs and removes. Its spec runs it
 * alone and in the standalone cloud; docs/adding-a-service.md walks through it.
 */
import { randomUUID } from 'node:crypto';
import { Body, Controller, Delete, Get, Inject, Injectable, Param, Post } from '@nestjs/common';
import { Query } from '@nestjs/common';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SisterServicesModule } from '@cumulet/clients/sister-services';
import { Allow } from '@cumulet/common/auth/access';
import { inProject, reachable } from '@cumulet/common/auth/project-access';
import { integer, type Values } from '@cumulet/common/config/settings';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { IntegerField, StringField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { Shown, viewOf } from '@cumulet/common/http/shown';
import { nudge } from '@cumulet/common/jobs/nudge';
import { defineQuotas } from '@cumulet/common/quotas/define-quotas';
import { QuotaLimits1796300000000 } from '@cumulet/common/quotas/quota-limits.migration';
import { QuotaLimitsModule } from '@cumulet/common/quotas/quota-limit.repository';
import { Quotas } from '@cumulet/common/quotas/quotas';
import { phase, type Plan, type Reconciler } from '@cumulet/common/reconcile/reconciler';
import { Reconciles } from '@cumulet/common/service/background';
import { defineService } from '@cumulet/common/app/define-service';
import { Feature } from '@cumulet/common/service/feature';
import { identitySettings, serviceSettings } from '@cumulet/common/service/service-settings';
import { CONFIG } from '@cumulet/common/service/tokens';
import { defineStates } from '@cumulet/common/states/state-table';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import { initialState, transition } from '@cumulet/common/states/transition';
import { FilteredBy, SortedBy } from '@cumulet/common/tables/listing';
import { pageOfQuery } from '@cumulet/common/tables/page';
import { Table } from '@cumulet/common/tables/table';

// parcel.states.ts
type ParcelState = 'packing' | 'packed' | 'removing' | 'error';
type ParcelEvent = 'packed' | 'remove' | 'fail';

const parcelStates = defineStates<ParcelState, ParcelEvent>({
  resource: 'parcel',
  table: 'parcels',
  initial: 'packing',
  states: {
    packing: { about: 'It is being packed.', deadline: 60 },
    packed: { about: 'It is ready to go.' },
    removing: { about: 'It is being taken apart.', deadline: 60 },
    error: { about: 'It could not be packed or removed.' },
  },
  events: {
    packed: { from: ['packing'], to: 'packed', by: 'reconciler' },
    remove: { from: ['packed', 'error'], to: 'removing', by: 'DELETE /v1/parcels/{parcel_id}' },
    fail: { from: ['packing', 'removing'], to: 'error', by: 'reconciler' },
  },
  failure: 'fail',
});

// parcel.entity.ts
@Entity('parcels')
@Index('parcels_project_idx', ['projectId', 'id'])
class Parcel extends StatefulColumns {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'parcels_pkey' })
  id: string;

  declare state: ParcelState;

  @Column('text', { name: 'project_id' })
  projectId: string;

  @Column('text')
  name: string;
}

class CreateParcels1796000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE parcels (
        id text CONSTRAINT parcels_pkey PRIMARY KEY,
        project_id text NOT NULL, name text NOT NULL,
        state text NOT NULL, previous_state text,
        state_since timestamptz NOT NULL DEFAULT now(),
        state_deadline timestamptz, state_reason text,
        generation integer NOT NULL DEFAULT 1
      )`);
    await runner.query('CREATE INDEX parcels_project_idx ON parcels (project_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE parcels');
  }
}

// parcel.dto.ts
class NewParcel {
  @StringField({ max: 255 })
  name: string;

  /** Whose it is: the caller's own project, unless an administrator or a sister service says. */
  @StringField({ optional: true, max: 64 })
  project_id?: string;
}

@SortedBy(['id'])
class ListParcelsQuery {
  @FilteredBy()
  @StringField({ optional: true })
  name?: string;

  @IntegerField({ optional: true, fromText: true, min: 1, max: 100 })
  limit?: number;

  @StringField({ optional: true })
  marker?: string;
}

class ParcelView {
  @Shown(String, 'Its id.')
  id: string;

  @Shown(String, 'What it is called.')
  name: string;

  @Shown<Parcel>(String, 'The ID of the project that owns the parcel.', {
    from: ({ projectId }) => projectId,
  })
  project_id: string;

  @Shown(String, 'What becomes of it.', { enum: Object.keys(parcelStates.states) })
  state: ParcelState;
}

class ParcelList {
  @Shown([() => ParcelView], 'Those of the project.')
  parcels: ParcelView[];
}

const view = viewOf<Parcel, ParcelView>(ParcelView);

// config.ts
const parcelSettings = {
  ...serviceSettings('PARCELS', 8999),
  ...identitySettings(),
  quota: integer('PARCELS_QUOTA', { about: 'Of a project.', default: 9, min: -1, max: 99 }),
};

type ParcelsConfig = Values<typeof parcelSettings>;

// parcel-quotas.ts
const PARCEL_QUOTAS = defineQuotas({
  parcels: {
    about: 'Parcels.',
    default: ({ quota }: ParcelsConfig) => quota,
    counted: { as: 'count(*)', in: 'parcels WHERE project_id = $1' },
  },
});

@Injectable()
class ParcelQuotas extends Quotas<keyof typeof PARCEL_QUOTAS> {
  constructor(@Inject(CONFIG) config: ParcelsConfig) {
    super(PARCEL_QUOTAS, config);
  }
}

// parcels.service.ts
class ParcelNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `Parcel ${String(id)} could not be found.`);
  }
}

@Injectable()
class ParcelsService extends Table<Parcel> {
  constructor(private readonly quotas: ParcelQuotas) {
    super(Parcel, { missing: (id) => new ParcelNotFoundError(id) });
  }

  async create(ctx: RequestContext, { name, project_id }: NewParcel): Promise<Parcel> {
    return inTransaction(inProject(ctx, project_id), async (tx) => {
      const { projectId } = tx;
      await this.quotas.claim(tx, { parcels: 1 });
      const state = initialState(parcelStates);
      const parcel = await this.insert(tx, { id: randomUUID(), projectId, name, ...state });
      await nudge(tx, { task: 'parcel', resource: 'parcel', id: parcel.id });
      return parcel;
    });
  }

  async remove(ctx: RequestContext, { id }: Parcel): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      await transition(tx, parcelStates, id, 'remove');
      await nudge(tx, { task: 'parcel', resource: 'parcel', id });
    });
  }
}

// parcel.reconciler.ts
@Reconciles()
@Injectable()
class ParcelReconciler implements Reconciler<Parcel, ParcelState, ParcelEvent> {
  readonly states = parcelStates;
  readonly plans: Partial<Record<ParcelState, Plan<Parcel, ParcelEvent>>> = {
    packing: { phases: [phase('wrap', () => Promise.resolve())], then: 'packed' },
    removing: { phases: [phase('forget', ({ ctx, row }) => this.parcels.delete(ctx, row.id))] },
  };

  constructor(private readonly parcels: ParcelsService) {}

  taskOf(): string {
    return 'parcel';
  }

  load(ctx: RequestContext, id: string): Promise<Parcel | undefined> {
    return this.parcels.find(ctx, id);
  }
}

// parcels.controller.ts
@Controller('v1/parcels')
class ParcelsController {
  constructor(private readonly parcels: ParcelsService) {}

  @Get()
  @Allow('reader')
  @Operation('List parcels', ParcelList)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListParcelsQuery): Promise<ParcelList> {
    const page = { ...pageOfQuery<Parcel>(query, 100), scope: reachable(ctx) };
    const { rows } = await this.parcels.list(ctx, page);
    return { parcels: rows.map(view) };
  }

  @Post()
  @Allow('member')
  @Operation('Create a parcel', ParcelView, { status: 202, creates: true, errors: [413] })
  async create(@Ctx() ctx: RequestContext, @Body() body: NewParcel): Promise<ParcelView> {
    return view(await this.parcels.create(ctx, body));
  }

  @Get(':parcel_id')
  @Allow('reader')
  @Operation('Show a parcel', ParcelView)
  async show(@Ctx() ctx: RequestContext, @Param('parcel_id') id: string): Promise<ParcelView> {
    return view(await this.parcels.get(ctx, id, reachable(ctx)));
  }

  @Delete(':parcel_id')
  @Allow('member')
  @Operation('Delete a parcel', null, { status: 202, errors: [409] })
  async delete(@Ctx() ctx: RequestContext, @Param('parcel_id') id: string): Promise<void> {
    await this.parcels.remove(ctx, await this.parcels.get(ctx, id, reachable(ctx)));
  }
}

@Feature({
  controllers: [ParcelsController],
  providers: [ParcelsService, ParcelQuotas, ParcelReconciler],
  entities: [Parcel],
})
class ParcelsModule {}

// service.ts
export const parcelsService = defineService({
  name: 'parcels',
  title: 'Parcels',
  serviceType: 'parcel',
  path: '/parcel',
  settings: parcelSettings,
  features: [SisterServicesModule, QuotaLimitsModule, ParcelsModule],
  migrations: [CreateParcels1796000000000, QuotaLimits1796300000000],
});
