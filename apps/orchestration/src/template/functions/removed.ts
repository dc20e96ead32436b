import { InvalidTemplateVersionError } from '../template.errors.js';
import type { TemplateFunction } from './template-function.js';

/** What an earlier version has, and others have no more. */
export const removed: TemplateFunction = {
  description: 'Not in this version.',
  isRefused: true,
  read(_argument, { name, path }) {
    throw new InvalidTemplateVersionError(
      `The function ${name} is not supported in this version of HOT (in ${path}).`,
    );
  },
};
