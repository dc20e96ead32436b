import { ApiHideProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { Allow } from 'class-validator';

/** What clients send back as they read it, and what nothing comes of. */
export function IgnoredField(): PropertyDecorator {
  return applyDecorators(ApiHideProperty(), Allow());
}
