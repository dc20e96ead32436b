/** Public source: Orchestration API reference, "Create stack", "Update stack", "Validate template". */
import {
  BooleanField,
  CheckedField,
  IntegerField,
  StringField,
  StringListField,
  UnsupportedField,
} from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { isMap, JsonMapField } from '../http/json-shape.js';

const either = { optional: true, nullable: true } as const;

/** YAML or JSON as text, or parsed by the client. */
function TextOrMapField(description: string): PropertyDecorator {
  return CheckedField(
    (value) => typeof value === 'string' || isMap(value),
    'must be a string or an object',
    { oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }] },
    { ...either, description },
  );
}

function isTexts(value: unknown): boolean {
  return isMap(value) && Object.values(value).every((one) => typeof one === 'string');
}

const NOTHING_FETCHED = 'the service fetches nothing; send the template itself';

@IgnoresOthers()
export class TemplateDto {
  @TextOrMapField('The template.')
  template?: string | Record<string, unknown> | null;

  @TextOrMapField('The environment.')
  environment?: string | Record<string, unknown> | null;

  @CheckedField(
    isTexts,
    'must be an object whose values are strings',
    { type: 'object', additionalProperties: { type: 'string' } },
    { ...either, description: 'Files that the template names, by their names.' },
  )
  files?: Record<string, string> | null;

  @StringListField({
    ...either,
    max: 4_096,
    description: 'Names of files that are environments; later ones override earlier ones.',
  })
  environment_files?: string[] | null;

  @JsonMapField({
    ...either,
    description:
      'Values of parameters, which override environment_files and are overridden by the environment.',
  })
  parameters?: Record<string, unknown> | null;

  @UnsupportedField(NOTHING_FETCHED, { orEmpty: true })
  template_url?: string;

  @UnsupportedField(NOTHING_FETCHED, { orEmpty: true })
  files_container?: string;
}

class StackOptionsDto extends TemplateDto {
  @IntegerField({ ...either, fromText: true, description: 'Minutes that an action may take.' })
  timeout_mins?: number | null;

  @BooleanField({
    ...either,
    fromText: true,
    description: 'Whether a failed action is left as it is, without a rollback.',
  })
  disable_rollback?: boolean | null;

  @CheckedField(
    (value) =>
      typeof value === 'string' ||
      (Array.isArray(value) && value.every((one) => typeof one === 'string')),
    'must be a string of tags separated by commas',
    { type: 'string' },
    { ...either, description: 'Its tags, separated by commas.' },
  )
  tags?: string | string[] | null;
}

const NAME = { ...either, description: 'The name.' } as const;

export class NewStackDto extends StackOptionsDto {
  @StringField({ ...NAME, min: 0 })
  stack_name?: string | null;

  @TextOrMapField('The data of an abandoned stack, which the new stack adopts.')
  adopt_stack_data?: string | Record<string, unknown> | null;

  @IntegerField({
    ...either,
    fromText: true,
    description: "What Heat's client calls `timeout_mins` where a stack is adopted.",
  })
  timeout?: number | null;

  @BooleanField({ ...either, fromText: true, description: 'Only for updates.' })
  converge?: boolean | null;
}

export class StackUpdateDto extends StackOptionsDto {
  /** Accepted because clients send it, and ignored. */
  @StringField({ ...NAME, min: 0 })
  stack_name?: string | null;

  @BooleanField({
    ...either,
    fromText: true,
    description: 'Whether the update compares each resource with its actual state.',
  })
  converge?: boolean | null;

  @StringListField({
    ...either,
    description: 'Stored parameters to be reset to their defaults.',
  })
  clear_parameters?: string[] | null;

  @BooleanField({
    ...either,
    fromText: true,
    description: 'Whether parameters that are not given stay as they are, as with PATCH.',
  })
  existing?: boolean | null;
}
