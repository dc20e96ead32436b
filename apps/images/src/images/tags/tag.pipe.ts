import { Injectable, type PipeTransform } from '@nestjs/common';
import { checkAttribute } from '../attribute-check.js';

/** The tag in a path: one that an image may have. */
@Injectable()
export class TagPipe implements PipeTransform<string, string> {
  /** @throws InvalidInputError */
  transform(tag: string): string {
    checkAttribute('tags', [tag]);
    return tag;
  }
}
