/** From what a client wants of a project to the project as it is then. Pure. */
import { changedOptions } from '../http/option-fields.js';
import type { Extra, ResourceOptions } from '../http/resource-options.js';
import { trimmedTags } from '../http/tags.js';
import type { ProjectFields } from './project.repository.js';

/** What is undefined stays as it is, or is as it is by default. */
export interface ProjectChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Of the options that are named, those that are null are taken back. */
  readonly options?: { readonly immutable?: boolean | null } | undefined;
  readonly extra?: Extra | undefined;
}

type Changeable = Pick<ProjectFields, keyof ProjectChange>;

export function changedProject<T extends Changeable>(before: T, change: ProjectChange): T {
  const { name, description, enabled, tags, options, extra } = change;
  return {
    ...before,
    name: name?.trim() ?? before.name,
    description: description === undefined ? before.description : (description ?? ''),
    enabled: enabled ?? before.enabled,
    tags: tags === undefined ? before.tags : trimmedTags(tags),
    options: changedOptions<ResourceOptions>(before.options, options),
    extra: { ...before.extra, ...extra },
  };
}

export const BLANK: Changeable = {
  name: '',
  description: '',
  enabled: true,
  tags: [],
  options: {},
  extra: {},
};
