import type { ReadTemplate, ResourceDefinition, TemplateRequest } from './read-template.js';

/** Reads templates outside of the event loop, which large ones would block. */
export abstract class TemplateReader {
  /** @throws TemplateError naming the path of the fault */
  abstract read(request: TemplateRequest): Promise<ReadTemplate>;

  /** Only the outline of a template. @throws TemplateError naming the path of the fault */
  abstract outline(request: TemplateRequest): Promise<TemplateOutline>;
}

export type ResourceOutline = Pick<ResourceDefinition, 'type' | 'implementation'>;

export interface TemplateOutline extends Omit<ReadTemplate, 'resources' | 'outputs' | 'nested'> {
  /** Resources of which the outline needs to know, such as those with nested templates. */
  readonly resources: Readonly<Record<string, ResourceOutline>>;
  readonly nested?: Readonly<Record<string, TemplateOutline>> | undefined;
}

/** What a validation shows: little, because the event loop deserializes a thread's answer. */
export function outlineOf({ outputs: _, ...template }: ReadTemplate): TemplateOutline {
  const { source, resources, nested } = template;
  return {
    ...template,
    source: { ...source, template: {} },
    resources: Object.fromEntries(
      Object.entries(resources)
        .filter(
          ([name, { implementation }]) =>
            implementation.kind === 'template' || Object.hasOwn(nested ?? {}, name),
        )
        .map(([name, { type, implementation }]) => [name, { type, implementation }]),
    ),
    nested:
      nested &&
      Object.fromEntries(Object.entries(nested).map(([name, one]) => [name, outlineOf(one)])),
  };
}
