/** The engine's ports to the rest of the service: types, values, sister services and trusts. */
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

  /** @param name of the implementation, such as `OS::Nova::Server` */
  abstract typeOf(name: string): ResourceType | undefined;

  /** @throws TemplateError */
  abstract evaluate(expression: Expression, references: References): Json;

  /**
   * Checks values against the type's schema and adds its defaults.
   * @param path for messages, such as `resources.server.properties`
   * @throws PropertyError
   */
  abstract propertiesOf(
    type: ResourceType,
    given: Json,
    path: string,
    scope: Omit<LookupScope, 'services'>,
  ): Promise<Properties>;

  /** Asks the services as the caller. @throws TemplateError, PropertyError */
  abstract answer(ctx: RequestContext, questions: readonly ConstraintQuestion[]): Promise<void>;

  /** The names of the availability zones; undefined where this cloud has none. */
  abstract zones(ctx: RequestContext): Promise<readonly string[] | undefined>;

  /** The caller's name in identity, or the ID if the caller's token may not read it. */
  abstract userName(ctx: RequestContext): Promise<string>;
}

export abstract class NestedStackFactory {
  abstract of(ctx: RequestContext, row: LoadedResource, frozen: Frozen): NestedStacks;
}
