/** Reads templates in threads, within the limits of the settings. */
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { OrchestrationConfig } from '../config.js';
import type { ReadTemplate, TemplateRequest } from '../template/read-template.js';
import { TemplateReader, type TemplateOutline } from '../template/template-reader.js';
import type { TextLimits } from '../template/yaml/text-budget.js';
import { TemplateThreads } from './template-threads.js';

type Config = Pick<
  OrchestrationConfig,
  'maxTemplateBytes' | 'templateMegabytes' | 'templateSeconds' | 'templateThreads'
>;

/** Far above any real template. */
const MAX_NODES = 1_000_000;
const MAX_DEPTH = 100;
const MAX_ALIASES = 1_000;

@Injectable()
export class ThreadedTemplateReader extends TemplateReader implements OnModuleDestroy {
  readonly #threads: TemplateThreads;
  readonly #limits: TextLimits;

  constructor(@Inject(CONFIG) config: Config) {
    super();
    this.#threads = new TemplateThreads({
      threads: config.templateThreads,
      seconds: config.templateSeconds,
      megabytes: config.templateMegabytes,
    });
    this.#limits = {
      maxBytes: config.maxTemplateBytes,
      maxNodes: MAX_NODES,
      maxDepth: MAX_DEPTH,
      maxAliases: MAX_ALIASES,
    };
  }

  /** @throws TemplateError, also for too much time or memory. @throws StoppingError */
  read(request: TemplateRequest): Promise<ReadTemplate> {
    return this.#threads.run(request.stack.projectId, 'read', request, this.#limits);
  }

  outline(request: TemplateRequest): Promise<TemplateOutline> {
    return this.#threads.run(request.stack.projectId, 'outline', request, this.#limits);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#threads.close();
  }
}

@Feature({ providers: [{ provide: TemplateReader, useClass: ThreadedTemplateReader }] })
export class TemplateReaderModule {}
