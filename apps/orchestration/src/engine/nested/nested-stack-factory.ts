import type { RequestContext } from '@cumulet/common/context/request-context';
import type { NestedStacks } from '../../resource-types/resource-type.js';
import type { LoadedResource } from '../../stack-resources/loaded-resource.js';

/** Stacks below resources. */
export abstract class NestedStackFactory {
  abstract of(ctx: RequestContext, row: LoadedResource): NestedStacks;
}
