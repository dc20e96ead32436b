import type { Sweep } from '@cumulet/common/jobs/sweep';
import type { ImageRepository } from '../../images/image.repository.js';
import type { ConversionFiles } from './conversion-files.js';

/** Removes this process's files of images that do not import any more, as those that were deleted. */
export function forgottenConversionsSweep(files: ConversionFiles, images: ImageRepository): Sweep {
  return {
    name: 'forgotten-conversions',
    everyMs: 60_000,
    local: true,
    async run(ctx) {
      for (const id of await files.list()) {
        const image = await images.find(ctx, id);
        if (image?.state !== 'importing') await files.remove(id);
      }
    },
  };
}
