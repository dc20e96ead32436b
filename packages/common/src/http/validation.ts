/**
 * Turns a request's body or query into its DTO, and refuses what the DTO does not name. The message
 * gives the field's full path: `server.name must be …`.
 */
import {
  ValidationPipe,
  type ArgumentMetadata,
  type PipeTransform,
  type Type,
  type ValidationError,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { InvalidInputError } from '../errors/domain-error.js';

/**
 * A body's unknown property is refused. A query's unknown name is dropped, as in OpenStack: clients
 * send filters of newer versions, which an older service ignores.
 */
export function createValidationPipe(): PipeTransform {
  const strict = new ValidationPipe({ ...OPTIONS, forbidNonWhitelisted: true });
  const lenient = new ValidationPipe(OPTIONS);
  /** An empty query is always the same DTO, so it is validated once. */
  const empty = new WeakMap<object, unknown>();
  const query = async (value: unknown, metadata: ArgumentMetadata): Promise<unknown> => {
    const { metatype, data } = metadata;
    // A parameter by itself has no DTO, nor has a query of any shape.
    const isDto = data === undefined && metatype !== undefined && metatype !== Object;
    if (!isDto || !isEmpty(value)) return lenient.transform(value, metadata) as unknown;
    const known = empty.get(metatype);
    if (known !== undefined) return known;
    const dto = Object.freeze((await lenient.transform(value, metadata)) as object);
    empty.set(metatype, dto);
    return dto;
  };
  return {
    transform: (value: unknown, metadata: ArgumentMetadata) => {
      if (metadata.type === 'body' && !isObject(value)) throw new BodyNotObjectError();
      if (metadata.type === 'query') return query(value, metadata);
      return strict.transform(value, metadata) as unknown;
    },
  };
}

/**
 * What did not come as a body by itself (a document that a patch has changed), checked as one.
 * @throws InvalidInputError
 */
export function validated<T extends object>(dto: Type<T>, value: object): Promise<T> {
  const metadata: ArgumentMetadata = { type: 'body', metatype: dto };
  return createValidationPipe().transform(value, metadata) as Promise<T>;
}

function isEmpty(value: unknown): boolean {
  for (const _name in value as object) return false;
  return isObject(value);
}

class BodyNotObjectError extends InvalidInputError {
  constructor() {
    super('Invalid input: the body must be an object.');
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const OPTIONS: ValidationPipeOptions = {
  transform: true,
  whitelist: true,
  forbidUnknownValues: true,
  stopAtFirstError: true,
  validationError: { target: false, value: false },
  exceptionFactory: (errors) => new InvalidInputError(describe(errors)),
};

/** One sentence listing the faults; at most five, so that a hostile body gets no long answer. */
function describe(errors: readonly ValidationError[]): string {
  const found = errors.flatMap((error) => collect(error, ''));
  const more = found.length > 5 ? `, and ${found.length - 5} more` : '';
  return `Invalid input: ${found.slice(0, 5).join('; ')}${more}.`;
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
      return `${path} is not a property that this operation knows`;
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
