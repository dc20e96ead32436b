/** Public source: Key Manager API reference, "Secret Consumers API". */
import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { equals } from '@cumulet/common/tables/condition';
import { Permits } from '../access/access.js';
import { pageOf, PageQuery, pageView } from '../http/pages.js';
import { secrets, type SecretId } from '../secrets/secret.entity.js';
import { secretView, SecretView } from '../secrets/secret.view.js';
import { SecretConsumerDto, SecretConsumerPage, secretConsumerView } from './consumer.dto.js';
import { secretConsumers, type SecretConsumerRow } from './consumer.entity.js';
import { ConsumersService } from './consumers.service.js';

@ApiTags('consumers')
@Controller('v1/secrets/:secret_id/consumers')
export class SecretConsumersController {
  constructor(private readonly consumers: ConsumersService) {}

  @Get()
  @Permits('secret_consumers:get')
  @Operation('List the consumers of a secret', SecretConsumerPage)
  async list(
    @Ctx() ctx: RequestContext,
    @Param('secret_id') id: SecretId,
    @Query() query: PageQuery,
  ): Promise<object> {
    await secrets.permitted(ctx, id, 'secret_consumers:get');
    const page = await pageOf(ctx, secretConsumers, query, {
      scope: [equals('secretId', id)],
      sort: [{ by: 'createdAt', descending: false }],
    });
    return pageView(ctx, 'consumers', page, secretConsumerView);
  }

  /** Idempotent by itself: the same consumer is registered once. */
  @Post()
  @Permits('secret_consumers:post')
  @Operation('Register a consumer of a secret', SecretView, { status: 200, creates: true })
  async register(
    @Ctx() ctx: RequestContext,
    @Param('secret_id') id: SecretId,
    @Body() body: SecretConsumerDto,
  ): Promise<SecretView> {
    await this.consumers.register(ctx, secretConsumers, consumerOf(id, body), (tx) =>
      secrets.held(tx, id, 'secret_consumers:post'),
    );
    return secretView(ctx)(await secrets.get(ctx, id));
  }

  @Delete()
  @Permits('secret_consumers:delete')
  @Operation('Remove a consumer of a secret', SecretView)
  async remove(
    @Ctx() ctx: RequestContext,
    @Param('secret_id') id: SecretId,
    @Body() body: SecretConsumerDto,
  ): Promise<SecretView> {
    await this.consumers.remove(ctx, secretConsumers, consumerOf(id, body), (tx) =>
      secrets.held(tx, id, 'secret_consumers:delete'),
    );
    return secretView(ctx)(await secrets.get(ctx, id));
  }
}

function consumerOf(secretId: SecretId, body: SecretConsumerDto): Partial<SecretConsumerRow> {
  const { service, resource_type: resourceType, resource_id: resourceId } = body;
  return { secretId, service, resourceType, resourceId };
}
