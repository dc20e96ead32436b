import type { ReadTemplate, TemplateRequest } from './read-template.js';

/** Reads templates beside the event loop, which large ones would hold up. */
export abstract class TemplateReader {
  /**
   * @throws TemplateError naming the path of what is wrong
   */
  abstract read(request: TemplateRequest): Promise<ReadTemplate>;
}
