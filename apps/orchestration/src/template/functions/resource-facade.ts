import type { Json } from '../../json/json.js';
import type { Facade } from '../read-template.js';
import { siteError } from './site-error.js';
import type { TemplateFunction } from './template-function.js';

type Part = (facade: Facade) => Json;

/** Heat template guide, "resource_facade". */
export const resourceFacade = facadeFunction({
  metadata: (facade) => facade.metadata,
  deletion_policy: (facade) => facade.deletionPolicy,
  update_policy: (facade) => facade.updatePolicy,
});

export const fnResourceFacade = facadeFunction({
  Metadata: (facade) => facade.metadata,
  DeletionPolicy: (facade) => facade.deletionPolicy,
  UpdatePolicy: (facade) => facade.updatePolicy,
});

function facadeFunction(parts: Readonly<Record<string, Part>>): TemplateFunction {
  return {
    description: 'Gives data of the resource, of a stack above, that this template makes up.',
    read(argument, site, { scope, budget }) {
      const part = Object.entries(parts).find(([name]) => name === argument)?.[1];
      if (part === undefined) {
        const allowed = Object.keys(parts).join(', ');
        throw siteError(site, `Incorrect arguments to "${site.name}" should be one of: ${allowed}`);
      }
      if (scope.facade === undefined) {
        throw siteError(site, `"${site.name}" is for templates that make up a resource`);
      }
      return { kind: 'value', value: budget.spend(part(scope.facade)) };
    },
  };
}
