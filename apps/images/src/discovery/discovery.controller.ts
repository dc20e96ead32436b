import { Controller, Get, Inject } from '@nestjs/common';
import { Allow, Authenticated } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import type { QuotaUsage } from '@cumulet/common/quotas/check-quota';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ImagesConfig } from '../config.js';
import { IMAGE_QUOTA_NAMES, type ImageQuota, ImageQuotas, UNITS } from '../images/image-quotas.js';
import { enabledMethods } from '../images/import-methods.js';

const ImportMethodsView = answerClass('ImportMethodsView', {
  description: Shown(String, 'A description.'),
  type: Shown(String, 'The type of `value`.', { enum: ['array'] }),
  value: Shown([String], 'The names of the methods.'),
});

const ImportInfo = shownUnder('import-methods', ImportMethodsView);

class StoreView {
  @Shown(String, 'The ID of the store.')
  id: string;

  @Shown(String, 'Whether the store is the default.', { enum: ['true'] })
  default: string;
}

class StoreDetail extends StoreView {
  @Shown(String, 'The type of the store.', { enum: ['file', 's3', 'memory'] })
  type: string;

  @Shown('integer', 'The weight; downloads prefer the store with the highest.')
  weight: number;

  @Shown(Object, "The driver's settings.")
  properties: Readonly<Record<string, unknown>>;
}

const StoreList = allUnder('stores', StoreView);

const StoreDetailList = allUnder('stores', StoreDetail);

class UsageView {
  @Shown('integer', 'The limit; -1 for none.')
  limit: number;

  @Shown('integer', 'The usage.')
  usage: number;
}

const ABOUT: Readonly<Record<ImageQuota, string>> = {
  image_size_total: 'The total size of data, in MiB.',
  image_stage_total: 'The total size of staged data, in MiB.',
  image_count_total: 'The number of images.',
  image_count_uploading: 'The number of uploads in progress.',
};

const UsageByResource = answerClass(
  'UsageByResource',
  Object.fromEntries(IMAGE_QUOTA_NAMES.map((name) => [name, Shown(() => UsageView, ABOUT[name])])),
);

const UsageAnswer = shownUnder('usage', UsageByResource, 'The usage of each resource.');

/** Bytes. */
const FILE_CHUNK = 512 * 1024;

/** Megabytes. */
const S3_PART = 8;

function storeDetail({ store, storeFolder }: ImagesConfig): StoreDetail {
  const properties = {
    file: { data_dir: storeFolder, chunk_size: FILE_CHUNK, thin_provisioning: false },
    s3: {
      s3_store_large_object_size: 0,
      s3_store_large_object_chunk_size: S3_PART,
      s3_store_thread_pools: 1,
    },
    memory: {},
  }[store];
  return { id: store, default: 'true', type: store, weight: 0, properties };
}

/** Rounds down to whole units; -1, for no limit, stays -1. */
function usageByResource(
  usage: Readonly<Record<ImageQuota, QuotaUsage>>,
): Readonly<Record<string, UsageView>> {
  const inUnits = (amount: number, name: ImageQuota): number => Math.floor(amount / UNITS[name]);
  return Object.fromEntries(
    IMAGE_QUOTA_NAMES.map((name) => {
      const { limit, used } = usage[name];
      return [name, { limit: inUnits(limit, name), usage: inUnits(used, name) }];
    }),
  );
}

/**
 * Public source: Image API reference, "Import methods and values discovery", "List stores", "List
 * stores detail" and "Quota usage".
 */
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
