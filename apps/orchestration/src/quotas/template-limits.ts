/** Limits the size of a template and of each of its files. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { stringifyExact } from '../json/exact-json.js';
import type { TemplateRequest } from '../template/read-template.js';
import { RequestLimitExceededError } from '../rows/stack.errors.js';
import { OrchestrationQuotas } from './orchestration-quotas.js';

@Injectable()
export class TemplateLimits {
  constructor(private readonly quotas: OrchestrationQuotas) {}

  /** @throws RequestLimitExceededError naming the excess and the limit */
  async check(
    ctx: RequestContext,
    { template, environment, files = {} }: Partial<TemplateRequest>,
  ): Promise<void> {
    const { template_bytes: limit } = await this.quotas.limits(ctx, ctx.projectId);
    if (limit < 0) return;
    const parts: [string, unknown][] = [
      ['Template', template],
      ['Environment', environment],
      ...Object.entries(files).map(([name, text]): [string, unknown] => [`File ${name}`, text]),
    ];
    for (const [what, value] of parts) {
      const bytes = sizeOf(value);
      if (bytes > limit)
        throw new RequestLimitExceededError(
          `${what} exceeds maximum allowed size (${bytes} of ${limit} bytes).`,
        );
    }
  }
}

/** Bytes of UTF-8, as text or as JSON. */
function sizeOf(value: unknown): number {
  if (value === undefined) return 0;
  return Buffer.byteLength(typeof value === 'string' ? value : stringifyExact(value));
}
