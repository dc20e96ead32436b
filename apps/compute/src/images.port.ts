/** What compute needs of the images service; tests put their own in its place. */
import type { Image, ImagesClient } from '@cumulet/clients/images/images-client';

export type { Image };
export type Images = Pick<ImagesClient, 'find' | 'download'>;
