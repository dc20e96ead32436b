import { asId } from '@cumulet/common/context/ids';
import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { attributeFault } from './attribute-check.js';
import type { ImageId } from './image.entity.js';
import { ImageNotFoundError } from './image.errors.js';

/**
 * The id in a path. A text that is no UUID is the id of no image: clients that look up a name as an
 * id first rely on that.
 */
@Injectable()
class ImageIdPipe implements PipeTransform<string, ImageId> {
  /** @throws ImageNotFoundError */
  transform(value: string): ImageId {
    if (attributeFault('id', value) !== undefined) throw new ImageNotFoundError(value);
    return asId(value.toLowerCase());
  }
}

/** The image that the path is about. */
export const ImageParam = (): ParameterDecorator => Param('image_id', ImageIdPipe);
