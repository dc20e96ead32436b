import type { ReadTemplate, ResourceDefinition, TemplateRequest } from './read-template.js';

/** Reads templates beside the event loop, which large ones would hold up. */
export abstract class TemplateReader {
  /**
   * @throws TemplateError naming the path of what is wrong
   */
  abstract read(request: TemplateRequest): Promise<ReadTemplate>;

  /**
   * The same for whom it is enough that the template can be read, and what it says of itself.
   * @throws TemplateError naming the path of what is wrong
   */
  abstract outline(request: TemplateRequest): Promise<TemplateOutline>;
}

export type ResourceOutline = Pick<ResourceDefinition, 'type' | 'implementation'>;

export interface TemplateOutline extends Omit<ReadTemplate, 'resources' | 'outputs' | 'nested'> {
  /** Those that a template stands for, and those with a nested stack of their own. */
  readonly resources: Readonly<Record<string, ResourceOutline>>;
  readonly nested?: Readonly<Record<string, TemplateOutline>> | undefined;
}

/**
 * A template without what its resources are to be, and without those that no template stands for: all
 * that validating one tells. Little of it, however long the template is, since what a thread answers is
 * unpacked by the one that serves requests.
 */
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
