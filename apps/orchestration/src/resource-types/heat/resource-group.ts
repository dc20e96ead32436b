/** Public source: Heat template guide, "OpenStack Resource Types", OS::Heat::ResourceGroup. */
import type { Properties } from '../../constraints/property-schema.js';
import { isMap, type Json, type JsonObject } from '../../json/json.js';
import {
  attribute,
  flag,
  integer,
  lengths,
  list,
  listOf,
  map,
  mapOf,
  oneOf,
  range,
  text,
  UPDATABLE,
} from '../declare.js';
import { nestedSteps } from '../nested-type.js';
import {
  asObject,
  asText,
  flagIn,
  listIn,
  mapIn,
  mapsIn,
  numberIn,
  textIn,
  textsIn,
  textsOf,
} from '../property-values.js';
import type {
  ExistingScope,
  NestedResource,
  NestedTemplate,
  ResourceScope,
  ResourceType,
} from '../resource-type.js';
import { changeGroup, createGroup, isGroupDone, paceOf, type Shape } from './groups/group-steps.js';
import {
  attributesByName,
  checkSize,
  listOfEach,
  memberAttribute,
  referencesByName,
  referencesOf,
  stepsToMembers,
  templateOf,
  withIndex,
} from './groups/members.js';

/** The key of the group's data with names that are not used again. */
const REMOVED = 'removed';

/** Members in a preview. */
const MAX_PREVIEWED = 1_000;

export const resourceGroup: ResourceType = {
  name: 'OS::Heat::ResourceGroup',
  description: 'A number of resources of one definition.',
  support: { status: 'SUPPORTED', version: '2014.1' },
  properties: {
    count: integer('How many there are.', {
      default: 1,
      updatable: true,
      constraints: [range(0)],
    }),
    index_var: text('What stands for a member’s index in its properties.', {
      default: '%index%',
      since: '2014.2',
      constraints: [lengths(3)],
    }),
    resource_def: mapOf(
      {
        type: text('The type of the members.', { required: true }),
        properties: map('Their properties.'),
        metadata: map('Their metadata.', { since: '5.0.0' }),
      },
      'What each of them is, as a template would say it.',
      { required: true, updatable: true },
    ),
    removal_policies: listOf(
      mapOf(
        { resource_list: list('Names or ids of members that are to go.', { default: [] }) },
        'Members that go first.',
      ),
      'What is removed when the group is updated; a name is never used again.',
      { ...UPDATABLE, default: [], since: '2015.1' },
    ),
    removal_policies_mode: text('Whether names are added to those that were removed before.', {
      default: 'append',
      updatable: true,
      since: '10.0.0',
      constraints: [oneOf('append', 'update')],
    }),
  },
  attributes: {
    refs: attribute('list', 'References of the members.'),
    refs_map: attribute('map', 'References of the members, by name.', '7.0.0'),
    attributes: attribute('map', 'Attributes of the members, each by their names.', '2014.2'),
    removed_rsrc_list: attribute('list', 'Names that are used no more.', '7.0.0'),
  },
  isAttribute: () => true,
  stepsToMembers,
  memberTypes: (properties) => textsOf([mapIn(properties, 'resource_def')?.['type']]),
  validate: (properties) => checkSize(properties, 'count'),
  members(properties) {
    const shape = shapeOf(properties, []);
    const names = Array.from({ length: Math.min(shape.size, MAX_PREVIEWED) }, (_, at) =>
      String(at),
    );
    return Object.fromEntries(names.map((name) => [name, shape.definitionOf(name)]));
  },
  ...nestedSteps,

  async create(scope) {
    const removed = removedBy(scope.properties, removedIn(scope), []);
    const { size } = { size: countOf(scope.properties) };
    const policy = asObject(scope.updatePolicy)?.['batch_create'];
    const pace = size > 0 ? paceOf(policy) : undefined;
    const own = {
      ...scope,
      row: { ...scope.row, data: { ...scope.row.data, [REMOVED]: removed } },
    };
    const physicalId = await createGroup(own, shapeOf(own.properties, removed), pace);
    return { physicalId };
  },
  isCreated: isDone,

  async update(scope, { changed }) {
    const members = await scope.nested.resources();
    const removed = removedBy(scope.properties, removedIn(scope), members);
    const own = {
      ...scope,
      row: { ...scope.row, data: { ...scope.row.data, [REMOVED]: removed } },
    };
    const policy = asObject(scope.updatePolicy)?.['rolling_update'];
    const pace = changed.has('resource_def') ? paceOf(policy) : undefined;
    await changeGroup(own, shapeOf(scope.properties, removed), pace);
    return {};
  },
  isUpdated: isDone,

  async attributesOf(scope, names) {
    const found = await scope.nested.resources();
    const members = found.toSorted((one, other) => Number(one.name) - Number(other.name));
    const values = names.map(async (name): Promise<[string, Json]> => [
      name,
      await valueOf(scope, members, name),
    ]);
    return Object.fromEntries(await Promise.all(values));
  },
};

async function valueOf(
  scope: ExistingScope,
  members: readonly NestedResource[],
  name: string,
): Promise<Json> {
  switch (name) {
    case 'refs':
      return referencesOf(members);
    case 'refs_map':
      return referencesByName(members);
    case 'attributes':
      return attributesByName(members);
    case 'removed_rsrc_list':
      return removedIn(scope);
    default: {
      const one = await memberAttribute(name, (which) =>
        members.find((each) => each.name === which),
      );
      return one === undefined ? listOfEach(members, name) : one;
    }
  }
}

function isDone(scope: ExistingScope): Promise<boolean> {
  return isGroupDone(scope, shapeOf(scope.properties, removedIn(scope)));
}

function countOf(properties: Properties): number {
  return numberIn(properties, 'count') ?? 1;
}

/** Members are named by their indexes, without removed ones. */
function shapeOf(properties: Properties, removed: readonly string[]): Shape {
  const size = countOf(properties);
  const definition = mapIn(properties, 'resource_def') ?? {};
  const variable = textIn(properties, 'index_var') ?? '%index%';
  const names = namesExcept(removed);
  return {
    size,
    definitionOf: (name) => memberOf(definition, variable, name),
    ordered: (members) =>
      Object.entries(members)
        .filter(([name]) => !removed.includes(name))
        // The highest indexes are removed first and, of the rest, updated first.
        .sort(([one], [other]) => Number(other) - Number(one)),
    newNames(members) {
      const free = names((name) => Object.hasOwn(members, name));
      return () => free.next().value;
    },
  };
}

function namesExcept(removed: readonly string[]) {
  return function* names(isTaken: (name: string) => boolean): Generator<string, never> {
    for (let index = 0; ; index += 1) {
      const name = String(index);
      if (!removed.includes(name) && !isTaken(name)) yield name;
    }
  };
}

function memberOf(definition: JsonObject, variable: string, name: string): JsonObject {
  const { type = null, properties, metadata } = definition;
  const given = isMap(properties ?? null)
    ? Object.fromEntries(Object.entries(properties as JsonObject).filter(([, one]) => one !== null))
    : undefined;
  return {
    type,
    ...(given ? { properties: withIndex(given, variable, name) } : {}),
    ...(metadata === undefined || metadata === null ? {} : { metadata }),
  };
}

function removedIn({ row }: Pick<ResourceScope, 'row'>): string[] {
  const removed = row.data[REMOVED];
  return Array.isArray(removed) ? (removed as readonly Json[]).map(String) : [];
}

/** @param before names that were removed earlier */
function removedBy(
  properties: Properties,
  before: readonly string[],
  members: readonly NestedResource[],
): string[] {
  const asked = (mapsIn(properties, 'removal_policies') ?? []).flatMap(({ resource_list: names }) =>
    Array.isArray(names) ? (names as readonly Json[]) : [],
  );
  const named = asked.flatMap((one) => {
    const name = asText(one);
    const isName = before.includes(name) || members.some((member) => member.name === name);
    if (isName || members.length === 0) return [name];
    const found = members.find((member) => member.reference() === one || member.physicalId === one);
    return found ? [found.name] : [];
  });
  const kept = textIn(properties, 'removal_policies_mode') === 'update' ? [] : before;
  return [...new Set([...kept, ...named])].sort();
}

/** Public source: Heat template guide, "OpenStack Resource Types", OS::Heat::ResourceChain. */
export const resourceChain: ResourceType = {
  name: 'OS::Heat::ResourceChain',
  description: 'Resources of several types with the same properties, one after the other.',
  support: { status: 'SUPPORTED', version: '6.0.0' },
  properties: {
    resources: list('Types of the resources, in their order.', { required: true, ...UPDATABLE }),
    concurrent: flag('Whether they are made at the same time.', { default: false }),
    resource_properties: map('Properties of each of them.'),
  },
  attributes: {
    refs: attribute('list', 'References of the resources.'),
    attributes: attribute('map', 'Attributes of the resources, each by their names.'),
  },
  isAttribute: () => true,
  stepsToMembers,
  memberTypes: (properties) => textsOf(listIn(properties, 'resources') ?? []),
  ...nestedSteps,

  async create(scope) {
    return { physicalId: await scope.nested.create(await nestedTemplate(scope)) };
  },

  async update(scope) {
    await scope.nested.update(await nestedTemplate(scope));
    return {};
  },

  async attributesOf({ nested }, names) {
    const found = await nested.resources();
    const members = found.toSorted((one, other) => Number(one.name) - Number(other.name));
    const values = names.map(async (name): Promise<[string, Json]> => {
      if (name === 'refs') return [name, referencesOf(members)];
      if (name === 'attributes') return [name, await attributesByName(members)];
      const one = await memberAttribute(name, (which) =>
        members.find((each) => each.name === which),
      );
      return [name, one === undefined ? await listOfEach(members, name) : one];
    });
    return Object.fromEntries(await Promise.all(values));
  },
};

async function nestedTemplate(scope: ResourceScope): Promise<NestedTemplate> {
  const { properties } = scope;
  const own = mapIn(properties, 'resource_properties');
  const isOrdered = flagIn(properties, 'concurrent') !== true;
  const members = (textsIn(properties, 'resources') ?? []).map((type, at): [string, JsonObject] => [
    String(at),
    {
      type,
      ...(own ? { properties: own } : {}),
      ...(isOrdered && at > 0 ? { depends_on: [String(at - 1)] } : {}),
    },
  ]);
  const template = templateOf(Object.fromEntries(members));
  return { template, ...(await scope.nested.surroundings()) };
}
