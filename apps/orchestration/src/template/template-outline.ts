/**
 * A template without what its resources are to be: all that validating one tells, and little of it
 * however long the template is, since what comes from a thread is taken apart by the one that serves
 * requests.
 */
import type { ReadTemplate, ResourceDefinition } from './read-template.js';

export type ResourceOutline = Pick<ResourceDefinition, 'type' | 'implementation'>;

export interface TemplateOutline extends Omit<ReadTemplate, 'resources' | 'outputs' | 'nested'> {
  readonly resources: Readonly<Record<string, ResourceOutline>>;
  readonly nested?: Readonly<Record<string, TemplateOutline>> | undefined;
}

export function outlineOf({ outputs: _, ...template }: ReadTemplate): TemplateOutline {
  const { source, resources, nested } = template;
  return {
    ...template,
    source: { ...source, template: {} },
    resources: mapped(resources, ({ type, implementation }) => ({ type, implementation })),
    nested: nested && mapped(nested, outlineOf),
  };
}

function mapped<T, U>(
  values: Readonly<Record<string, T>>,
  change: (value: T) => U,
): Readonly<Record<string, U>> {
  return Object.fromEntries(Object.entries(values).map(([name, one]) => [name, change(one)]));
}
