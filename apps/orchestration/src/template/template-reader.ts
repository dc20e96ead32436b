import type { ReadTemplate, TemplateRequest } from './read-template.js';
import type { TemplateOutline } from './template-outline.js';

/** Reads templates beside the event loop, which large ones would hold up. */
export abstract class TemplateReader {
  /**
   * @throws TemplateError naming the path of what is wrong
   */
  abstract read(request: TemplateRequest): Promise<ReadTemplate>;

  /**
   * The same for whom it is enough that the template can be read, and what it says of itself.
   * @throws TemplateError naming the path of what is wrong
   */
  abstract outline(request: TemplateRequest): Promise<TemplateOutline>;
}
