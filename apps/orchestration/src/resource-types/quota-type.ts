/** Quotas of a project in a service as a resource: set while the stack is there, the defaults after. */
import type { JsonObject } from '../json/json.js';
import { integer, named, range } from './declare.js';
import type { PropertySchemas, SupportStatus } from '../constraints/property-schema.js';
import { asObject, given, isGiven, textIn, withoutGaps } from './property-values.js';
import type { ResourceScope, ResourceType } from './resource-type.js';
import { part, ServiceCalls, type CallOptions } from './service-calls.js';
import { PropertyError } from '../constraints/property.errors.js';
import type { ServiceName } from '../sister-services.js';

export interface QuotaDeclaration {
  readonly name: string;
  /** Of Heat, which had it first. */
  readonly since?: string;
  readonly service: ServiceName;
  readonly collection: string;
  readonly entity: string;
  /** Names of limits, with what each is of, and since when. */
  readonly limits: Readonly<Record<string, QuotaLimit>>;
  readonly options?: CallOptions;
}

export interface QuotaLimit {
  readonly about: string;
  readonly since?: string;
  readonly support?: SupportStatus;
}

export function quotaType(declared: QuotaDeclaration): ResourceType {
  const { name, since = '8.0.0', service, collection, entity, limits, options } = declared;
  const names = Object.keys(limits);
  const path = ({ properties }: ResourceScope): string =>
    `${collection}/${part(textIn(properties, 'project') ?? '')}`;
  const calls = (scope: ResourceScope): ServiceCalls => new ServiceCalls(scope, service, options);

  const set = async (scope: ResourceScope): Promise<void> => {
    const body: JsonObject = withoutGaps(given(scope.properties, ...names));
    await calls(scope).put(path(scope), { [entity]: body });
  };

  return {
    name,
    description: 'How much of each thing a project may have; for administrators.',
    support: { status: 'SUPPORTED', version: since },
    properties: {
      project: named('keystone.project', 'The project.', { required: true }),
      ...limitProperties(limits),
    },
    attributes: {},
    validate(properties) {
      if (!names.some((limit) => isGiven(properties, limit)))
        throw new PropertyError(
          'project',
          `At least one of the following properties must be specified: ${[...names].sort().join(', ')}.`,
        );
    },
    async create(scope) {
      await set(scope);
      return { physicalId: scope.physicalName() };
    },
    async update(scope) {
      // What is no longer given is the default's again.
      await calls(scope).remove(path(scope));
      await set(scope);
      return {};
    },
    remove: (scope) => calls(scope).remove(path(scope)),
    async read(scope) {
      return asObject((await calls(scope).find(path(scope)))?.[entity]);
    },
  };
}

function limitProperties(limits: QuotaDeclaration['limits']): PropertySchemas {
  return Object.fromEntries(
    Object.entries(limits).map(([name, { about, ...more }]) => [
      name,
      integer(`${about} that the project may have; -1 is without limit.`, {
        constraints: [range(-1)],
        updatable: true,
        ...more,
      }),
    ]),
  );
}
