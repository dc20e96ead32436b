import type { TemplateFunction } from './template-function.js';

/** AWS CloudFormation User Guide, "Fn::GetAZs": of whichever region is named. */
export const fnGetAzs: TemplateFunction = {
  description: 'Gives the names of the availability zones.',
  read(snippet, site, reader) {
    reader.reduce(snippet, `${site.path}.${site.name}`);
    return { kind: 'value', value: reader.budget.spend(reader.scope.zones) };
  },
};
