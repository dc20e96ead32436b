import type { RequestContext } from '@cumulet/common/context/request-context';
import type { NestedStacks } from '../../resource-types/resource-type.js';
import type { LoadedResource } from '../../rows/loaded-resource.js';
import type { Frozen } from '../stored.js';

/** Stacks below resources. */
export abstract class NestedStackFactory {
  /** @param frozen what the resource is made, or changed, with */
  abstract of(ctx: RequestContext, row: LoadedResource, frozen: Frozen): NestedStacks;
}
