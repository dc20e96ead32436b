import { Allow, Authenticated } from '@cumulet/common/auth/access';
import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ImagesConfig } from '../config.js';
import { IMAGES_CONFIG } from '../injection-tokens.js';
import {
  storeDetailView,
  storeView,
  type StoreDetailView,
  type StoresView,
  type StoreView,
} from './store.view.js';

/** Public source: Image API reference, "List stores" and "List stores detail". */
@ApiTags('discovery')
@Controller('v2/info/stores')
export class StoresInfoController {
  constructor(@Inject(IMAGES_CONFIG) private readonly config: ImagesConfig) {}

  @Get()
  @Authenticated()
  list(): StoresView<StoreView> {
    return { stores: [storeView(this.config)] };
  }

  @Get('detail')
  @Allow('admin')
  listDetail(): StoresView<StoreDetailView> {
    return { stores: [storeDetailView(this.config)] };
  }
}
