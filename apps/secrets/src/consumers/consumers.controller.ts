/**
 * Consumers of secrets and of containers: the same three routes. Public source: Key Manager API
 * reference, "Consumers API" and "Secret Consumers API".
 */
import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Param,
  Post,
  Query,
  type Type,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { Operation, takes } from '@cumulet/common/http/operation';
import { viewOf } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { equals, identifiedBy } from '@cumulet/common/tables/condition';
import type { Table } from '@cumulet/common/tables/table';
import { Permits } from '../access/access.js';
import type { Owned, PolicyName } from '../access/policy.js';
import { containers, containerView, ContainerView } from '../containers/container.resource.js';
import { pageOf, PageQuery, pageView } from '../http/pages.js';
import { zonelessTime } from '../http/time.js';
import { SecretQuotas } from '../quotas/secret-quotas.js';
import { secrets, secretView, SecretView } from '../secrets/secret.resource.js';
import {
  ContainerConsumerDto,
  containerConsumerOf,
  ContainerConsumerPage,
  ContainerConsumerRow,
  containerConsumers,
  RegisteredContainerConsumer,
  RegisteredSecretConsumer,
  SecretConsumerDto,
  secretConsumerOf,
  SecretConsumerPage,
  SecretConsumerRow,
  secretConsumers,
} from './consumer.resource.js';

interface Consumed<Id extends string, Row extends Owned> {
  permitted(ctx: RequestContext, id: Id, operation: PolicyName): Promise<Row>;
  held(tx: RequestContext, id: Id, operation: PolicyName): Promise<Row>;
  get(ctx: RequestContext, id: Id): Promise<Row>;
}

interface ConsumerRoutes<
  Id extends string,
  Owner extends Owned,
  Row extends SecretConsumerRow | ContainerConsumerRow,
> {
  readonly kind: 'secret' | 'container';
  readonly owners: Consumed<Id, Owner>;
  readonly ownerView: (ctx: RequestContext) => (owner: Owner) => object;
  readonly answer: Type;
  readonly table: Table<Row>;
  readonly body: Type;
  readonly consumerOf: (id: Id, body: object) => Partial<Row>;
  readonly page: Type;
  readonly view: Type<object>;
}

function consumersController<
  Id extends string,
  Owner extends Owned,
  Row extends SecretConsumerRow | ContainerConsumerRow,
>({
  kind,
  owners,
  ownerView,
  answer,
  table,
  body: bodyClass,
  consumerOf,
  page: pageAnswer,
  view,
}: ConsumerRoutes<Id, Owner, Row>) {
  abstract class ConsumersController {
    @Inject(SecretQuotas)
    readonly quotas: SecretQuotas;

    @Get()
    @Permits(`${kind}_consumers:get`)
    @Operation(`List the consumers of a ${kind}`, pageAnswer)
    async list(
      @Ctx() ctx: RequestContext,
      @Param(`${kind}_id`) id: string,
      @Query() query: PageQuery,
    ): Promise<object> {
      await owners.permitted(ctx, id as Id, `${kind}_consumers:get`);
      const page = await pageOf(ctx, table, query, {
        scope: [equals(`${kind}Id`, id)],
        sort: [{ by: 'createdAt', descending: false }],
      });
      return pageView(ctx, 'consumers', page, viewOf<Row, object>(view, zonelessTime));
    }

    /** Idempotent by itself: the same consumer is registered once. */
    @Post()
    @Permits(`${kind}_consumers:post`)
    @Operation(`Register a consumer of a ${kind}`, answer, { status: 200, creates: true })
    async register(
      @Ctx() ctx: RequestContext,
      @Param(`${kind}_id`) id: string,
      @Body() body: object,
    ): Promise<object> {
      const consumer = consumerOf(id as Id, body);
      await inTransaction(ctx, async (tx) => {
        await owners.held(tx, id as Id, `${kind}_consumers:post`);
        if ((await table.select(tx, identifiedBy<Row>(consumer))).length > 0) return;
        await this.quotas.claim(tx, { consumers: 1 });
        await table.insert(tx, { ...consumer, projectId: tx.projectId });
      });
      return ownerView(ctx)(await owners.get(ctx, id as Id));
    }

    /** Only the project that registered a consumer may remove it, or the owner's. */
    @Delete()
    @Permits(`${kind}_consumers:delete`)
    @Operation(`Remove a consumer of a ${kind}`, answer)
    async remove(
      @Ctx() ctx: RequestContext,
      @Param(`${kind}_id`) id: string,
      @Body() body: object,
    ): Promise<object> {
      const consumer = consumerOf(id as Id, body);
      await inTransaction(ctx, async (tx) => {
        const { projectId: owner } = await owners.held(tx, id as Id, `${kind}_consumers:delete`);
        const { projectId } = await table.get(tx, consumer);
        if (!ctx.isAdmin && ![owner, projectId].includes(ctx.projectId))
          throw new ForbiddenError('Only the project that registered a consumer may remove it.');
        await table.delete(tx, consumer);
      });
      return ownerView(ctx)(await owners.get(ctx, id as Id));
    }
  }

  for (const method of ['register', 'remove'])
    takes(ConsumersController, method, Object, String, bodyClass);
  return ConsumersController;
}

@ApiTags('consumers')
@Controller('v1/secrets/:secret_id/consumers')
export class SecretConsumersController extends consumersController({
  kind: 'secret',
  owners: secrets,
  ownerView: secretView,
  answer: SecretView,
  table: secretConsumers,
  body: SecretConsumerDto,
  consumerOf: secretConsumerOf,
  page: SecretConsumerPage,
  view: RegisteredSecretConsumer,
}) {}

@ApiTags('consumers')
@Controller('v1/containers/:container_id/consumers')
export class ContainerConsumersController extends consumersController({
  kind: 'container',
  owners: containers,
  ownerView: containerView,
  answer: ContainerView,
  table: containerConsumers,
  body: ContainerConsumerDto,
  consumerOf: containerConsumerOf,
  page: ContainerConsumerPage,
  view: RegisteredContainerConsumer,
}) {}

@Feature({
  controllers: [SecretConsumersController, ContainerConsumersController],
  entities: [SecretConsumerRow, ContainerConsumerRow],
})
export class ConsumersModule {}
