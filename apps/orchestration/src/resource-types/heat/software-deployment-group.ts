/** A software config on several servers: a nested stack with a deployment for each. */
import type { PropertySchemas } from '../../constraints/property-schema.js';
import { ownOf, type Json, type JsonObject } from '../../json/json.js';
import { attribute, map, oneOf, text } from '../declare.js';
import { mapIn, withoutNulls } from '../property-values.js';
import { NestedFailure } from '../resource-type.errors.js';
import type {
  ExistingScope,
  NestedTemplate,
  ResourceScope,
  ResourceType,
} from '../resource-type.js';
import { INPUT_KEY, VALIDATED } from './software-config-type.js';
import { checkSignal, DEPLOYMENT_PROPERTIES, softwareDeployment } from './software-deployment.js';

/** The group's attributes, and those of its deployments that they collect. */
const OF_EACH: Readonly<Record<string, string>> = {
  deploy_stdouts: 'deploy_stdout',
  deploy_stderrs: 'deploy_stderr',
  deploy_status_codes: 'deploy_status_code',
};

interface GroupDeclaration {
  readonly name: string;
  readonly description: string;
  readonly member: string;
  readonly properties?: PropertySchemas;
}

export const deploymentGroup = ({
  name,
  description,
  member,
  properties = {},
}: GroupDeclaration): ResourceType => ({
  name,
  description,
  support: { status: 'SUPPORTED', version: '5.0.0' },
  validate: checkSignal,
  properties: {
    servers: map('The servers, by the names of their deployments.', {
      required: true,
      updatable: true,
    }),
    ...DEPLOYMENT_PROPERTIES,
    ...properties,
  },
  attributes: {
    deploy_stdouts: attribute('map', 'The standard output of each deployment.'),
    deploy_stderrs: attribute('map', 'The standard error of each deployment.'),
    deploy_status_codes: attribute('map', 'The exit status of each deployment.'),
  },
  isAttribute: () => true,

  create: async (scope) => ({ physicalId: await scope.nested.create(templateOf(scope, member)) }),
  isCreated: isDone,
  async update(scope) {
    await scope.nested.update(templateOf(scope, member));
    return {};
  },
  isUpdated: isDone,
  remove: (scope) => scope.nested.remove(),
  isRemoved: async (scope) => (await scope.nested.find()) === undefined,
  suspend: (scope) => scope.nested.suspend(),
  isSuspended: isDone,
  resume: (scope) => scope.nested.resume(),
  isResumed: isDone,

  async attributesOf(scope, names) {
    const values = new Map<string, [string, Json][]>(names.map((name) => [name, []]));
    for (const deployment of await scope.nested.resources()) {
      const shown = await deployment.attributes(names.map(ofEach));
      for (const [name, value] of values)
        value.push([deployment.name, ownOf(shown, ofEach(name)) ?? null]);
    }
    return Object.fromEntries(
      [...values].map(([name, entries]) => [name, Object.fromEntries(entries)]),
    );
  },
});

export const softwareDeploymentGroup = deploymentGroup({
  name: 'OS::Heat::SoftwareDeploymentGroup',
  description: 'A software config on several servers.',
  member: 'OS::Heat::SoftwareDeployment',
});

function ofEach(name: string): string {
  return ownOf(OF_EACH, name) ?? name;
}

function templateOf({ properties }: ResourceScope, type: string): NestedTemplate {
  const { servers: _, ...common } = withoutNulls(properties);
  const servers = Object.entries(mapIn(properties, 'servers') ?? {});
  const resources = servers.map(([name, server]) => [
    name,
    { type, properties: { ...common, server } },
  ]);
  const template: JsonObject = {
    heat_template_version: '2015-04-30',
    resources: Object.fromEntries(resources) as JsonObject,
  };
  return { template };
}

/** @throws NestedFailure */
async function isDone(scope: ExistingScope): Promise<boolean> {
  const found = await scope.nested.find();
  if (found?.status === 'FAILED') throw new NestedFailure(found.reason);
  return found?.status === 'COMPLETE';
}

const STRUCTURED: PropertySchemas = {
  [INPUT_KEY]: text('The key whose value in the config names an input.', { default: 'get_input' }),
  [VALIDATED]: text('Whether each input that the config names must have a value.', {
    default: 'LAX',
    constraints: [oneOf('LAX', 'STRICT')],
  }),
};

/** Structured configs on servers, with the values of inputs filled in. */
export const structuredDeployment: ResourceType = {
  ...softwareDeployment,
  name: 'OS::Heat::StructuredDeployment',
  description: 'A config that is data, on a server.',
  properties: { ...softwareDeployment.properties, ...STRUCTURED },
};

export const structuredDeploymentGroup = deploymentGroup({
  name: 'OS::Heat::StructuredDeploymentGroup',
  description: 'A config that is data, on several servers.',
  member: structuredDeployment.name,
  properties: STRUCTURED,
});
