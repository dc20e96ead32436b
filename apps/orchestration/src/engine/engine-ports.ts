/** What the engine needs of the rest of the service: types, values, sisters, and leave to act. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { TrustAuthority } from '@cumulet/common/trusts/trust-ports';
import type { ConstraintQuestion } from '../constraints/constraint-check.js';
import type { Properties } from '../constraints/property-schema.js';
import type { LookupScope } from '../constraints/service-lookups.js';
import type { Json } from '../json/json.js';
import type { NestedStacks, ResourceType } from '../resource-types/resource-type.js';
import type { LoadedResource } from '../rows/stack-resource.entity.js';
import type { Services } from '../sister-services.js';
import type { Expression, References } from '../template/expression.js';
import type { Frozen } from './stored.js';

export abstract class EnginePorts extends TrustAuthority {
  abstract readonly services: Services;

  /** @param name of the implementation: `OS::Nova::Server` */
  abstract typeOf(name: string): ResourceType | undefined;

  /** @throws TemplateError */
  abstract evaluate(expression: Expression, references: References): Json;

  /**
   * Checks values by the type's schema, and completes them with its defaults.
   * @param path for messages: `resources.server.properties`
   * @throws PropertyError
   */
  abstract propertiesOf(
    type: ResourceType,
    given: Json,
    path: string,
    scope: Omit<LookupScope, 'services'>,
  ): Promise<Properties>;

  /** Asks the services, as the caller. @throws TemplateError, PropertyError */
  abstract answer(ctx: RequestContext, questions: readonly ConstraintQuestion[]): Promise<void>;

  /** The availability zones, by name; undefined where this cloud has none. */
  abstract zones(ctx: RequestContext): Promise<readonly string[] | undefined>;

  /** The caller's name at identity, or the id where the caller's token may not read that. */
  abstract userName(ctx: RequestContext): Promise<string>;
}

export abstract class NestedStackFactory {
  /** @param frozen what the resource is made, or changed, with */
  abstract of(ctx: RequestContext, row: LoadedResource, frozen: Frozen): NestedStacks;
}
