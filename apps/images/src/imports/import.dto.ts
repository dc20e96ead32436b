import {
  BooleanField,
  ObjectField,
  StringField,
  StringListField,
} from '@cumulet/common/http/fields';

import type { Task } from '../images/tasks/task.entity.js';

/** Presigned URIs are long. */
const MAX_URI_LENGTH = 8_192;

export class ImportMethodDto {
  @StringField({ description: 'glance-direct or web-download.' })
  name: string;

  // Gophercloud sends an empty uri with every other method.
  @StringField({
    optional: true,
    min: 0,
    max: MAX_URI_LENGTH,
    description: 'The URL for web-download.',
  })
  uri?: string;

  // Fields of glance-download, accepted so that the refusal names the method.
  @StringField({ optional: true })
  glance_region?: string;

  @StringField({ optional: true })
  glance_image_id?: string;

  @StringField({ optional: true })
  glance_service_interface?: string;
}

/** Public source: Image API reference, "Import an image". */
export class ImportDto {
  @ObjectField(() => ImportMethodDto)
  method: ImportMethodDto;

  @StringListField({ optional: true, description: 'The stores that are to hold the data.' })
  stores?: string[];

  @BooleanField({ optional: true })
  all_stores?: boolean;

  @BooleanField({ optional: true })
  all_stores_must_succeed?: boolean;
}

/** A task's input, under Glance's names. */
interface ImportInput {
  readonly import_req: ImportDto;
}

/** The URI of a web-download; undefined for staged data. */
export function uriOf({ input }: Task): string | undefined {
  const { method } = (input as unknown as ImportInput).import_req;
  return method.name === 'web-download' ? method.uri : undefined;
}

/** A task's input for other projects: path and query of a URI may be secret. */
export function withoutSecrets(input: Task['input']): Task['input'] {
  const copy = structuredClone(input);
  const { method } = (copy as unknown as ImportInput).import_req;
  if (method.uri !== undefined && URL.canParse(method.uri)) {
    method.uri = `${new URL(method.uri).origin}/…`;
  }
  return copy;
}
