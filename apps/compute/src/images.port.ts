/** The port to the images service; tests replace it. */
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { ImagesClient, type Image } from '@cumulet/clients/images/images-client';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from './config.js';

export type { Image };
export type Images = Omit<ImagesClient, 'close' | 'named' | 'onApplicationShutdown'>;

export const IMAGES = Symbol('images');

@Feature({
  providers: [
    {
      provide: IMAGES,
      inject: [CONFIG, ActorCredentials],
      useFactory: ({ imagesUrl }: ComputeConfig, credentials: ActorCredentials) =>
        new ImagesClient({ imagesUrl, credentials }),
    },
  ],
})
export class ImagesModule {}
