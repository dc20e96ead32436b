/** A nested stack. Public source: AWS CloudFormation user guide, "AWS::CloudFormation::Stack". */
import { nestedSteps, outputErrors } from '../nested-type.js';
import { ownOf, type JsonObject } from '../../json/json.js';
import { stackArn } from '../../template/parameters/parameter-view.js';
import { integer, map, text, UPDATABLE } from '../declare.js';
import { asText, mapIn, numberIn, textIn } from '../property-values.js';
import type {
  ExistingScope,
  NestedTemplate,
  ResourceScope,
  ResourceType,
} from '../resource-type.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';
import { NestedFailure } from '../resource-type.errors.js';

/** The prefix of attributes, as in `Outputs.Address`. */
const OUTPUTS = 'Outputs.';

type Surroundings = Required<Pick<NestedTemplate, 'environment' | 'files'>>;

export const nestedStack: ResourceType = {
  name: 'AWS::CloudFormation::Stack',
  description: 'A stack below this one, made of a template that is among its files.',
  properties: {
    TemplateURL: text('The URL of the template, by which it is among the files.', {
      required: true,
      updatable: true,
    }),
    TimeoutInMinutes: integer('Minutes that it may take.', UPDATABLE),
    Parameters: map('The parameters.', UPDATABLE),
  },
  attributes: {},
  isAttribute: (name) => name.startsWith(OUTPUTS),
  ...nestedSteps,

  async inquire(properties, inquiry) {
    await inquiry.readTemplate(templateOf(properties, inquiry.surroundings));
  },

  async create(scope) {
    const template = templateOf(scope.properties, await scope.nested.surroundings());
    const physicalId = await scope.nested.create(template);
    const stack = { ...scope.stack, id: physicalId, name: scope.physicalName() };
    return { physicalId, data: { reference: stackArn(stack), ...timeOf(scope) } };
  },
  isCreated: isInTime,

  async update(scope) {
    const template = templateOf(scope.properties, await scope.nested.surroundings());
    await scope.nested.update(template);
    const { until: _, ...data } = scope.row.data;
    return { data: { ...data, ...timeOf(scope) } };
  },
  isUpdated: isInTime,

  referenceOf: ({ data, physicalId }) => data['reference'] ?? physicalId,

  async attributesOf({ nested, row }, names) {
    const available = await nested.outputs();
    const outputs = new Map(names.map((name) => [name, name.slice(OUTPUTS.length)]));
    const given = [...outputs].map(([name, output]) => [
      name,
      ownOf(available.values, output) ?? null,
    ]);
    return {
      ...(Object.fromEntries(given) as JsonObject),
      ...outputErrors(row.name, available, outputs),
    };
  },
};

/** @throws PropertyError for a template that is not among the files */
function templateOf(
  properties: Properties,
  { environment, files }: Surroundings,
): NestedTemplate & { readonly template: string } {
  const url = textIn(properties, 'TemplateURL') ?? '';
  const template = ownOf(files ?? {}, url);
  if (template === undefined)
    throw new PropertyError(
      'TemplateURL',
      `${url} is not among the files of the stack, and this cloud fetches no templates: send it along.`,
    );
  return { template, environment, files, parameters: mapIn(properties, 'Parameters') ?? {} };
}

function timeOf({ properties }: ResourceScope): JsonObject {
  const minutes = numberIn(properties, 'TimeoutInMinutes');
  return minutes === undefined
    ? {}
    : { until: new Date(Date.now() + minutes * 60_000).toISOString() };
}

/** @throws NestedFailure also when its timeout is over */
async function isInTime(scope: ExistingScope): Promise<boolean> {
  if (await nestedSteps.isCreated(scope)) return true;
  const until = asText(scope.row.data['until']);
  if (until !== '' && new Date(until).getTime() < Date.now())
    throw new NestedFailure('The stack below has taken longer than TimeoutInMinutes allows.');
  return false;
}
