import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

export interface StackPath {
  readonly name: string;
  readonly id: string;
}

export const OfStack = createParamDecorator((_: unknown, host: ExecutionContext): StackPath => {
  const { params } = host.switchToHttp().getRequest<FastifyRequest>();
  const { stack_name: name, stack_id: id } = params as Readonly<Record<string, string>>;
  return { name: name ?? '', id: id ?? '' };
});
