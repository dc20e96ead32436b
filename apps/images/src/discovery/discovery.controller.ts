import { Allow, Authenticated } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ImagesConfig } from '../config.js';
import { ImageQuotas } from '../images/image-quotas.js';
import { enabledMethods } from '../images/import-methods.js';
import {
  ImportInfo,
  storeDetail,
  StoreDetailList,
  StoreList,
  UsageAnswer,
  usageByResource,
} from './discovery.answers.js';

/**
 * Public source: Image API reference, "Import methods and values discovery", "List stores", "List
 * stores detail" and "Quota usage".
 */
@ApiTags('discovery')
@Controller('v2/info')
export class DiscoveryController {
  constructor(
    @Inject(CONFIG) private readonly config: ImagesConfig,
    private readonly quotas: ImageQuotas,
  ) {}

  @Get('import')
  @Authenticated()
  @Operation('List import methods', ImportInfo)
  importMethods(): object {
    const value = enabledMethods(this.config);
    return { 'import-methods': { description: 'Import methods available.', type: 'array', value } };
  }

  @Get('stores')
  @Authenticated()
  @Operation('List stores', StoreList)
  stores(): object {
    const { id, default: isDefault } = storeDetail(this.config);
    return { stores: [{ id, default: isDefault }] };
  }

  @Get('stores/detail')
  @Allow('admin')
  @Operation('List stores with details', StoreDetailList)
  storesInDetail(): object {
    return { stores: [storeDetail(this.config)] };
  }

  @Get('usage')
  @Allow('reader')
  @Operation('Show quota usage', UsageAnswer)
  async usage(@Ctx() ctx: RequestContext): Promise<object> {
    return { usage: usageByResource(await this.quotas.usage(ctx, ctx.projectId)) };
  }
}

@Feature({
  controllers: [DiscoveryController],
})
export class DiscoveryModule {}
