import type { Type } from '@nestjs/common';
import { createValidationPipe } from './validation.js';

/** Runs the pipe on a body or a query. @returns the DTO, or the refusal's message */
export async function validated(
  dto: Type,
  value: unknown,
  type: 'body' | 'query' = 'body',
): Promise<unknown> {
  try {
    return await createValidationPipe().transform(value, { type, metatype: dto });
  } catch (error) {
    return (error as Error).message;
  }
}
