import { StackValidationFailedError } from '../template.errors.js';
import type { Site } from './template-function.js';

/** What is wrong with a call, where it stands: `resources.web.properties.name.str_replace`. */
export function siteError({ name, path }: Site, text: string): StackValidationFailedError {
  return new StackValidationFailedError(text, path === '' ? name : `${path}.${name}`);
}

/** @param form what would be right */
export function formError(site: Site, form: string): StackValidationFailedError {
  return siteError(site, `Incorrect arguments to "${site.name}" should be: ${form}`);
}
