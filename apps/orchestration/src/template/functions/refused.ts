import { InvalidTemplateVersionError } from '../template.errors.js';
import { siteError, type TemplateFunction } from './template-function.js';

/** A function that only earlier versions have. */
export const removed: TemplateFunction = {
  description: 'Not in this version.',
  isRefused: true,
  read(_argument, { name, path }) {
    throw new InvalidTemplateVersionError(
      `The function ${name} is not supported in this version of HOT (in ${path}).`,
    );
  },
};

/** Heat template guide, "yaql": not supported, because it is a language of its own. */
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

/** Not available in conditions, which are decided before any resource exists. */
export const notACondition: TemplateFunction = {
  description: 'Not for conditions.',
  isRefused: true,
  read(_argument, site) {
    throw siteError(site, `The function "${site.name}" is invalid in this context`);
  },
};
