/** Software configs: text, structured data, cloud-init's, and multi-part ones. */
import { yamlDocument } from '@cumulet/common/languages/yaml';
import type { Properties } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { JsonObject } from '../../json/json.js';
import { attribute, lengths, listOf, map, mapOf, oneOf, text } from '../declare.js';
import {
  asObject,
  given,
  listIn,
  mapIn,
  mapsIn,
  textIn,
  textsIn,
  withoutGaps,
  withoutNulls,
} from '../property-values.js';
import type { ResourceScope, ResourceType } from '../resource-type.js';
import { multipart, partsOf, TOKEN, type MimePart } from './mime.js';
import {
  COMPONENT,
  configType,
  GROUP,
  INPUTS,
  OPTIONS,
  OUTPUTS,
  textOfConfig,
} from './software-config-type.js';

function commonOf(properties: Properties): JsonObject {
  return withoutGaps(given(properties, 'group', 'options', 'inputs', 'outputs'));
}

export const softwareConfig = configType({
  name: 'OS::Heat::SoftwareConfig',
  description: 'A software configuration as text.',
  properties: {
    group: GROUP,
    config: text('The script or manifest.'),
    options: OPTIONS,
    inputs: INPUTS,
    outputs: OUTPUTS,
  },
  config: ({ properties }) => ({
    ...commonOf(properties),
    config: textIn(properties, 'config') ?? '',
  }),
});

export const structuredConfig = configType({
  name: 'OS::Heat::StructuredConfig',
  description: 'A software configuration as data.',
  properties: {
    group: GROUP,
    config: map('The data, which is kept as JSON.'),
    options: OPTIONS,
    inputs: INPUTS,
    outputs: OUTPUTS,
  },
  config: ({ properties }) => ({
    ...commonOf(properties),
    config: mapIn(properties, 'config') ?? {},
  }),
});

export const cloudConfig = configType({
  name: 'OS::Heat::CloudConfig',
  description: 'A cloud-config of cloud-init.',
  properties: { cloud_config: map('The data, which is kept as YAML.') },
  config: ({ properties }) => ({
    group: 'Heat::Ungrouped',
    config: cloudConfigOf(mapIn(properties, 'cloud_config') ?? {}),
  }),
});

function cloudConfigOf(data: JsonObject): string {
  return `#cloud-config\n${yamlDocument(data)}`;
}

export const multipartMime = configType({
  name: 'OS::Heat::MultipartMime',
  description: 'Several configs as parts of one that cloud-init reads.',
  properties: {
    group: { ...GROUP, support: { status: 'SUPPORTED', version: '14.0.0' } },
    parts: listOf(
      mapOf(
        {
          config: text('What it says, or the id of a config that says it.', { required: true }),
          filename: text('The name of its file.'),
          type: text('Whether it has parts itself.', {
            default: 'text',
            constraints: [oneOf('text', 'multipart')],
          }),
          subtype: text('The subtype of text, as cloud-config.', {
            constraints: [{ kind: 'pattern', pattern: TOKEN }],
          }),
        },
        'A part.',
      ),
      'The parts.',
      { default: [] },
    ),
  },
  async config(scope) {
    const parts: MimePart[] = [];
    for (const part of mapsIn(scope.properties, 'parts') ?? [])
      parts.push(...(await partsIn(scope, part)));
    return { ...commonOf(scope.properties), config: multipart(parts) };
  },
});

async function partsIn(scope: ResourceScope, part: JsonObject): Promise<readonly MimePart[]> {
  const content = await textOfConfig(scope, textIn(part, 'config') ?? '');
  if (textIn(part, 'type') === 'multipart') return partsOf(content) ?? [];
  const filename = textIn(part, 'filename');
  // Its name determines the type, as for `part-handler.py`.
  const subtype = textIn(part, 'subtype') ?? filename?.replace(/\.[^.]*$/, '') ?? 'plain';
  return [{ content, subtype, ...(filename === undefined ? {} : { filename }) }];
}

const plain = configType({
  name: 'OS::Heat::SoftwareComponent',
  description: 'Software configurations for each action of a stack.',
  properties: {
    configs: listOf(
      mapOf(
        {
          actions: listOf(text('An action.'), 'The actions of the stack that it is for.', {
            default: ['CREATE', 'UPDATE'],
            constraints: [lengths(1)],
          }),
          config: text('The script or manifest.'),
          tool: text('The tool that applies it.', { required: true }),
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

/** Configs for several actions. Public source: Heat template guide, "Software configuration". */
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
