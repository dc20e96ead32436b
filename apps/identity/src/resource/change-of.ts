import type { Type } from '@nestjs/common';
import { PartialType } from '@nestjs/swagger';

/**
 * The class of a change, `UpdateServiceDto` of `CreateServiceDto`: whatever a new resource has may
 * be left out of it. Null is only taken where a new resource takes it.
 */
export function changeOf<Dto extends object>(create: Type<Dto>): Type<Partial<Dto>> {
  const change = PartialType(create, { skipNullProperties: false });
  const name = `Update${create.name.replace(/^Create/, '')}`;
  return Object.defineProperty(change, 'name', { value: name });
}
