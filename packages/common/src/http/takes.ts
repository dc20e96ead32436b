import type { Type } from '@nestjs/common';
import { PARAMTYPES_METADATA } from '@nestjs/common/constants.js';

/**
 * Declares the class of a handler's parameters where a function makes the controller and the
 * compiler cannot know it. Bodies and queries are validated and documented by it.
 */
export function takes(
  controller: { readonly prototype: object },
  method: string,
  ...types: Type[]
): void {
  Reflect.defineMetadata(PARAMTYPES_METADATA, types, controller.prototype, method);
}
