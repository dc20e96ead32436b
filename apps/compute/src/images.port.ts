/** What compute needs of the images service; tests replace it. */
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { ImagesClient, type Image } from '@cumulet/clients/images/images-client';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from './config.js';

export type { Image };
export type Images = Pick<ImagesClient, 'find' | 'download'>;

export const IMAGES = Symbol('images');

@Feature({
  providers: [
    {
      provide: IMAGES,
      inject: [CONFIG, ServiceTokenSource],
      useFactory: ({ imagesUrl }: ComputeConfig, tokens: ServiceTokenSource) =>
        new ImagesClient({ imagesUrl, tokens }),
    },
  ],
})
export class ImagesModule {}
