import type { Type } from '@nestjs/common';
import { PARAMTYPES_METADATA } from '@nestjs/common/constants.js';

/**
 * Says of what class a handler's parameters are, where a function makes the controller and the
 * compiler cannot know. Bodies and queries are checked, and documented, by it.
 */
export function takes(
  controller: { readonly prototype: object },
  method: string,
  ...types: Type[]
): void {
  Reflect.defineMetadata(PARAMTYPES_METADATA, types, controller.prototype, method);
}
