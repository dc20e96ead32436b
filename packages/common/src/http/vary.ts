import type { FastifyReply } from 'fastify';

/** Says that the answer depends on these headers of the request too, beside those named before. */
export function varyBy(reply: FastifyReply, headers: readonly string[]): void {
  if (headers.length === 0) return;
  const before = reply.getHeader('Vary');
  const named = typeof before === 'string' ? before.split(', ') : [];
  void reply.header('Vary', [...new Set([...named, ...headers])].join(', '));
}
