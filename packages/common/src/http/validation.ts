/**
 * Turns a request's body or query into its DTO, and refuses unknown properties. Messages have the
 * field's full path: `server.name must be …`.
 */
import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { validate, type ValidationError, type ValidatorOptions } from 'class-validator';
import { InvalidInputError, invalid } from '../errors/domain-error.js';
import { readDto, UnknownProperties } from './read-dto.js';

/** Faults that a message names; the others are counted, so that a hostile body gets no long answer. */
const MOST_FAULTS = 5;

/** Types of parameters without a DTO. */
const WITHOUT_DTO: readonly unknown[] = [Object, String, Number, Boolean, Array, Buffer];

/**
 * Unknown properties of a body are refused before any rule is checked. Unknown names in a query are
 * ignored, as in OpenStack: clients send filters of newer versions.
 * @param options `ignoresBesides`: keys beside the object in a body are ignored, too
 */
export function createValidationPipe({ ignoresBesides = false } = {}): PipeTransform {
  /** An empty query is always the same DTO, so it is validated once. */
  const empty = new WeakMap<object, unknown>();
  const query = async (dto: Type, value: unknown): Promise<unknown> => {
    if (!isEmpty(value)) return checked(readDto(dto, value));
    const known = empty.get(dto);
    if (known !== undefined) return known;
    const made = Object.freeze((await checked(readDto(dto, value))) as object);
    empty.set(dto, made);
    return made;
  };
  return {
    transform: (value: unknown, { type, metatype: dto, data }: ArgumentMetadata) => {
      if (type === 'body' && !isObject(value)) throw new BodyNotObjectError();
      if (dto === undefined || data !== undefined || WITHOUT_DTO.includes(dto)) return value;
      if (type === 'query') return query(dto, value);
      if (type !== 'body') return value;
      const unknown = new UnknownProperties(MOST_FAULTS);
      const made = readDto(dto, value, unknown, ignoresBesides);
      if (unknown.count > 0) throw new UnknownPropertiesError(unknown);
      return checked(made);
    },
  };
}

/**
 * Validates a document other than a body, such as a patched one.
 * @throws InvalidInputError
 */
export function validated<T extends object>(dto: Type<T>, value: object): Promise<T> {
  const metadata: ArgumentMetadata = { type: 'body', metatype: dto };
  return Promise.resolve(createValidationPipe().transform(value, metadata) as Promise<T>);
}

function isEmpty(value: unknown): boolean {
  for (const _name in value as object) return false;
  return isObject(value);
}

class BodyNotObjectError extends invalid('Invalid input: the body must be an object.') {}

class UnknownPropertiesError extends invalid(({ paths, count }: UnknownProperties) =>
  sentenceOf(paths.map(unknownProperty), count),
) {}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const OPTIONS: ValidatorOptions = {
  whitelist: true,
  forbidUnknownValues: true,
  stopAtFirstError: true,
  validationError: { target: false, value: false },
};

/** @throws InvalidInputError naming the faults */
async function checked(dto: unknown): Promise<unknown> {
  const errors = await validate(dto as object, OPTIONS);
  if (errors.length === 0) return dto;
  const faults = errors.flatMap((error) => collect(error, ''));
  throw new InvalidInputError(sentenceOf(faults, faults.length));
}

function sentenceOf(faults: readonly string[], count: number): string {
  const more = count > MOST_FAULTS ? `, and ${count - MOST_FAULTS} more` : '';
  return `Invalid input: ${faults.slice(0, MOST_FAULTS).join('; ')}${more}.`;
}

function unknownProperty(path: string): string {
  return `${path} is not a property that this operation knows`;
}

function collect(error: ValidationError, prefix: string): string[] {
  const path = prefix ? `${prefix}.${error.property}` : error.property;
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) =>
    sentence(rule, message, error.property, path),
  );
  return [...own, ...(error.children ?? []).flatMap((child) => collect(child, path))];
}

function sentence(rule: string, message: string, property: string, path: string): string {
  switch (rule) {
    case 'whitelistValidation':
      return unknownProperty(path);
    case 'unknownValue':
    case 'nestedValidation':
      return `${path || 'the body'} must be an object`;
    default:
      return qualify(message, property, path);
  }
}

/** class-validator's messages start with the property's own name; replace it by the full path. */
function qualify(message: string, property: string, path: string): string {
  if (message.startsWith(`${property} `)) return path + message.slice(property.length);
  if (message.startsWith(`each value in ${property} `)) {
    return `each value in ${path}${message.slice('each value in '.length + property.length)}`;
  }
  return message.includes(path) ? message : `${path}: ${message}`;
}
