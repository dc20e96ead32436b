import { makeOptional } from '@cumulet/common/http/fields';
import type { Type } from '@nestjs/common';

/**
 * The class of a change, `UpdateServiceDto` of `CreateServiceDto`: whatever a new resource has may
 * be left out of it. Null is only taken where a new resource takes it.
 */
export function changeOf<Dto extends object>(create: Type<Dto>): Type<Partial<Dto>> {
  const name = `Update${create.name.replace(/^Create/, '')}`;
  const change = { [name]: class extends (create as Type<object>) {} }[name] as Type<Partial<Dto>>;
  makeOptional(change, create);
  return change;
}
