import { siteError } from './site-error.js';
import type { TemplateFunction } from './template-function.js';

/** What conditions may not be made of: they are decided before any resource is there. */
export const notACondition: TemplateFunction = {
  description: 'Not for conditions.',
  isRefused: true,
  read(_argument, site) {
    throw siteError(site, `The function "${site.name}" is invalid in this context`);
  },
};
