import { applyDecorators } from '@nestjs/common';
import { ApiHideProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';

/** A property that the service gives: a client may send back what it has read, and it is left out. */
export function ReadOnlyField(): PropertyDecorator {
  return applyDecorators(
    ApiHideProperty(),
    Allow(),
    Transform(() => undefined),
  );
}
