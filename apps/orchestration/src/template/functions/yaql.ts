import { siteError } from './site-error.js';
import type { TemplateFunction } from './template-function.js';

/** Heat template guide, "yaql": a language of its own, which nothing here speaks. */
export const yaql: TemplateFunction = {
  description: 'Evaluates an expression in YAQL.',
  isRefused: true,
  read(_argument, site) {
    throw siteError(
      site,
      `The function "${site.name}" is not supported: use functions such as repeat, filter, map_merge and list_concat`,
    );
  },
};
