import type { FastifyReply } from 'fastify';

/** Adds these request headers to those that the answer depends on. */
export function varyBy(reply: FastifyReply, headers: readonly string[]): void {
  if (headers.length === 0) return;
  const before = reply.getHeader('Vary');
  const named = typeof before === 'string' ? before.split(', ') : [];
  void reply.header('Vary', [...new Set([...named, ...headers])].join(', '));
}
