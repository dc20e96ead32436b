import { notFound } from '@cumulet/common/errors/domain-error';

export class AgentNotFoundError extends notFound(
  (id: string) => `Agent ${id} could not be found.`,
) {}
