import { isStorable } from '@cumulet/common/database/storable';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { StringField } from '@cumulet/common/http/fields';
import {
  applyDecorators,
  Controller,
  Injectable,
  Param,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { ReadOnlyAttributeError } from '../images/image.errors.js';

const READ_ONLY = ['self', 'schema', 'created_at', 'updated_at'];

/** Refuses read-only properties with 403, as Glance does, not 400. */
class ReadOnlyGuard implements CanActivate {
  /** @throws ReadOnlyAttributeError */
  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (typeof body !== 'object' || body === null) return true;
    const found = READ_ONLY.find((name) => Object.hasOwn(body, name));
    if (found !== undefined) throw new ReadOnlyAttributeError(found);
    return true;
  }
}

/** @param path below `/v2/metadefs` */
export function MetadefController(path: string): ClassDecorator {
  return applyDecorators(
    ApiTags('metadata definitions'),
    Controller(`v2/metadefs/${path}`),
    UseGuards(ReadOnlyGuard),
  );
}

/** Refuses names that Postgres cannot store. */
@Injectable()
class NamePipe implements PipeTransform<string, string> {
  /** @throws InvalidInputError */
  transform(name: string): string {
    if (isStorable(name)) return name;
    throw new InvalidInputError(
      'Invalid input: a name in the path must not contain a null character.',
    );
  }
}

export const NameParam = (parameter: string): ParameterDecorator => Param(parameter, NamePipe);

export const InNamespace = (): ParameterDecorator => NameParam('namespace_name');

/** Accepts and ignores properties that clients send back as they read them. */
export function Ignoring(...names: readonly string[]): ClassDecorator {
  return ({ prototype }) => {
    for (const name of names) Allow()(prototype as object, name);
  };
}

/** Public source: Image API reference, "Get namespace details" and "Show property definition". */
export class ResourceTypeQuery {
  @StringField({
    optional: true,
    min: 0,
    description: 'The resource type whose prefix the names of properties have.',
  })
  resource_type?: string;
}
