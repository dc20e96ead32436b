/** A config that is data, on servers: values of inputs are put into it where it asks for them. */
import { oneOf, text } from '../declare.js';
import type { PropertySchemas } from '../../constraints/property-schema.js';
import type { ResourceType } from '../resource-type.js';
import { INPUT_KEY, VALIDATED } from './deployment-config.js';
import { deploymentGroup } from './software-deployment-group.js';
import { softwareDeployment } from './software-deployment.js';

const STRUCTURED: PropertySchemas = {
  [INPUT_KEY]: text('The key whose value in the config names an input.', { default: 'get_input' }),
  [VALIDATED]: text('Whether each input that the config names must have a value.', {
    default: 'LAX',
    constraints: [oneOf('LAX', 'STRICT')],
  }),
};

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
