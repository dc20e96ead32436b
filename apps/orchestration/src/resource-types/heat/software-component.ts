/** Configs for each action of a stack, kept as one. Public source: Heat template guide, "Software configuration". */
import { attribute, lengths, listOf, mapOf, text } from '../declare.js';
import {
  asObject,
  given,
  listIn,
  mapsIn,
  textsIn,
  withoutGaps,
  withoutNulls,
} from '../property-values.js';
import type { ResourceType } from '../resource-type.js';
import { COMPONENT } from './deployment-config.js';
import { configType, INPUTS, OPTIONS, OUTPUTS } from './software-config-type.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

const plain = configType({
  name: 'OS::Heat::SoftwareComponent',
  description: 'What software is set up, changed and taken away by, each of them as text.',
  properties: {
    configs: listOf(
      mapOf(
        {
          actions: listOf(text('An action.'), 'The actions of the stack that it is for.', {
            default: ['CREATE', 'UPDATE'],
            constraints: [lengths(1)],
          }),
          config: text('The script or manifest.'),
          tool: text('The tool that it is for.', { required: true }),
        },
        'A config.',
      ),
      'The configs; of each action there is one at most.',
      { required: true, constraints: [lengths(1)] },
    ),
    inputs: INPUTS,
    outputs: OUTPUTS,
    options: OPTIONS,
  },
  config: ({ properties }) => ({
    ...withoutGaps(given(properties, 'options', 'inputs', 'outputs')),
    group: COMPONENT,
    config: { configs: (mapsIn(properties, 'configs') ?? []).map(withoutNulls) },
  }),
});

export const softwareComponent: ResourceType = {
  ...plain,
  support: { status: 'SUPPORTED', version: '2014.2' },
  attributes: { configs: attribute('list', 'The configs.') },
  validate,
  async attributesOf(scope) {
    const config = asObject((await plain.read?.(scope))?.['config']) ?? {};
    return { configs: listIn(config, 'configs') ?? [] };
  },
};

/** @throws PropertyError */
function validate(properties: Properties): void {
  const actions = (mapsIn(properties, 'configs') ?? []).flatMap(
    (config) => textsIn(config, 'actions') ?? [],
  );
  if (new Set(actions).size !== actions.length)
    throw new PropertyError(
      'configs',
      'Defining more than one configuration for the same action is not allowed.',
    );
}
