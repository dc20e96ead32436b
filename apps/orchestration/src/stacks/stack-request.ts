/** From bodies to the engine's requests. Pure. */
import { isStorable } from '@cumulet/common/database/storable';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type {
  AbandonedStack,
  NewStack,
  StackChange,
  StackOptions,
} from '../engine/stack-commands.js';
import { isMap } from '../http/json-shape.js';
import { tagsOf } from '../http/query.js';
import { parseExact } from '../json/exact-json.js';
import type { JsonObject } from '../json/json.js';
import type { TemplateRequest } from '../template/read-template.js';
import { StackValidationFailedError } from '../template/template.errors.js';
import type { NewStackDto, StackUpdateDto, TemplateDto } from './stack.dto.js';

export type ReadRequest = Omit<TemplateRequest, 'stack' | 'facade'>;

const NAME = /^[a-zA-Z][a-zA-Z0-9_.-]{0,254}$/;

/** @throws InvalidInputError without a name or template, or for fields of updates */
export function newStack(dto: NewStackDto, template = dto.template): NewStack {
  if (dto.converge != null)
    throw new InvalidInputError(
      'converge flag only supported in stack update (or update preview) request.',
    );
  const name = nameOf(dto);
  const options = optionsOf(dto, dto.timeout_mins ?? dto.timeout);
  return { ...templateOf(dto, template), ...options, name };
}

/** With the data's files, and its environment by default. @throws InvalidInputError */
export function adoptedStack(dto: NewStackDto, data: AdoptedData): NewStack {
  const environment = saysNothing(dto.environment) ? data.environment : dto.environment;
  const files = { ...data.files, ...dto.files };
  return {
    ...newStack(dto, data.template),
    environment: environment as string | JsonObject,
    files,
  };
}

/** Heat's client sends an empty environment by default. */
function saysNothing(environment: NewStackDto['environment']): boolean {
  if (environment == null || environment === '') return true;
  return (
    typeof environment === 'object' &&
    Object.values(environment).every(
      (part) => typeof part === 'object' && part !== null && Object.keys(part).length === 0,
    )
  );
}

/** @throws InvalidInputError without a template */
export function templateOf(dto: TemplateDto, template = dto.template): ReadRequest {
  if (template == null) throw new InvalidInputError('No template specified');
  return { ...partsOf(dto), template: template as string | JsonObject };
}

export function stackChange(dto: StackUpdateDto, existing: boolean): StackChange {
  const isPatch = existing || dto.existing === true;
  return {
    ...(isPatch && dto.template == null ? partsOf(dto) : templateOf(dto)),
    ...optionsOf(dto),
    existing: isPatch,
    ...(dto.converge == null ? {} : { converge: dto.converge }),
    ...(dto.clear_parameters == null ? {} : { clearParameters: dto.clear_parameters }),
  };
}

/** @throws InvalidInputError for an invalid name */
function nameOf({ stack_name: name }: NewStackDto): string {
  if (name == null) throw new InvalidInputError('No stack name specified');
  if (NAME.test(name)) return name;
  throw new StackValidationFailedError(
    `Invalid stack name ${name} must contain only alphanumeric or "_-." characters, must start ` +
      'with alpha and must be 255 characters or less.',
  );
}

function partsOf(dto: TemplateDto): Omit<ReadRequest, 'template'> {
  const { environment, environment_files: environmentFiles, files, parameters } = dto;
  return {
    ...(environment == null ? {} : { environment: environment as string | JsonObject }),
    ...(environmentFiles == null ? {} : { environmentFiles }),
    ...(files == null ? {} : { files }),
    ...(parameters == null ? {} : { parameters: parameters as JsonObject }),
  };
}

function optionsOf(dto: NewStackDto | StackUpdateDto, minutes = dto.timeout_mins): StackOptions {
  const { disable_rollback: disableRollback, tags } = dto;
  return {
    // 0 means the default, as in Heat.
    ...(minutes ? { timeoutMinutes: minutes } : {}),
    ...(disableRollback == null ? {} : { disableRollback }),
    ...(tags == null ? {} : { tags: checkedTags(tags) }),
  };
}

/** Limited because lists show them. */
const MAX_TAGS = 100;

function checkedTags(tags: string | readonly string[]): readonly string[] {
  const all = typeof tags === 'string' ? tagsOf(tags) : tags.flatMap((tag) => tagsOf(tag));
  if (all.length > MAX_TAGS)
    throw new InvalidInputError(
      `Invalid tags, ${all.length} are more than the maximum of ${MAX_TAGS}`,
    );
  if (all.every(isStorable)) return all;
  throw new InvalidInputError(
    'Invalid tag: it holds U+0000, or half of a character, which cannot be stored.',
  );
}

export interface AdoptedData {
  readonly template: Record<string, unknown>;
  readonly environment: Record<string, unknown>;
  readonly files: Record<string, string>;
  readonly data: AbandonedStack;
}

/**
 * Reads data from `abandon`. Pure.
 *
 * @throws InvalidInputError for malformed data, or data without a template
 */
export function adoptedData(given: string | Readonly<Record<string, unknown>>): AdoptedData {
  const data = typeof given === 'string' ? parsed(given) : given;
  if (!isMap(data)) throw new InvalidInputError('Invalid adopt data: it must be an object.');
  const { template, resources = {}, environment = {}, files = {} } = data;
  if (!isMap(template)) throw new InvalidInputError('Invalid adopt data: it has no template.');
  if (!isMap(resources))
    throw new InvalidInputError('Invalid adopt data: its resources must be an object.');
  if (!isMap(environment))
    throw new InvalidInputError('Invalid adopt data: its environment must be an object.');
  if (!isMap(files) || !hasTexts(files))
    throw new InvalidInputError('Invalid adopt data: its files must be an object of texts.');
  return { template, environment, files, data: data as JsonObject };
}

function hasTexts(
  files: Readonly<Record<string, unknown>>,
): files is Readonly<Record<string, string>> {
  return Object.values(files).every((text) => typeof text === 'string');
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch (error) {
    throw new InvalidInputError(`Invalid adopt data: ${(error as Error).message}`);
  }
}
