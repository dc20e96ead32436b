import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Controller, Delete, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import type { ImageId } from '../images/image.entity.js';
import { ImageParam } from '../images/image-id.pipe.js';
import { StoresService } from './stores.service.js';

/** Public source: Image API reference, "Delete image from store". */
@ApiTags('image data')
@Controller('v2/stores/:store_id/:image_id')
export class StoresController {
  constructor(private readonly stores: StoresService) {}

  @Delete()
  @Allow('member')
  @Operation('Delete the data of an image from a store', null, { status: 403, errors: [409] })
  removeData(
    @Ctx() ctx: RequestContext,
    @Param('store_id') store: string,
    @ImageParam() id: ImageId,
  ): Promise<never> {
    return this.stores.removeData(ctx, store, id);
  }
}

@Feature({ controllers: [StoresController], providers: [StoresService] })
export class StoresModule {}
