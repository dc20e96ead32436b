import { asId } from '@cumulet/common/context/ids';
import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { attributeFault } from './attribute-check.js';
import type { ImageId } from './image.entity.js';
import { ImageNotFoundError } from './image.errors.js';

/**
 * Parses the ID in a path. Any text that is not a UUID answers 404: clients that look up a name as
 * an ID first rely on that.
 */
@Injectable()
class ImageIdPipe implements PipeTransform<string, ImageId> {
  /** @throws ImageNotFoundError */
  transform(value: string): ImageId {
    if (attributeFault('id', value) !== undefined) throw new ImageNotFoundError(value);
    return asId(value.toLowerCase());
  }
}

export const ImageParam = (): ParameterDecorator => Param('image_id', ImageIdPipe);
