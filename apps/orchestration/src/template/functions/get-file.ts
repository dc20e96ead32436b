import { ownOf } from '../../json/json.js';
import { siteError } from './site-error.js';
import type { TemplateFunction } from './template-function.js';

/** Heat template guide, "get_file": of the request's files alone. Nothing is ever fetched. */
export const getFile: TemplateFunction = {
  // Clients look for these very words.
  description: 'A function for including a file inline.',
  read(snippet, site, reader) {
    const argument = reader.reduce(snippet, `${site.path}.${site.name}`);
    if (argument.kind !== 'value' && reader.scope.missingParameters.size > 0) {
      return { kind: 'call', ...site, argument };
    }
    if (argument.kind !== 'value' || typeof argument.value !== 'string') {
      throw siteError(site, `Argument to "${site.name}" must be a string`);
    }
    const content = ownOf(reader.scope.files, argument.value);
    if (content === undefined) {
      throw siteError(
        site,
        `No content found in the "files" section for ${site.name} path: ${argument.value}`,
      );
    }
    return { kind: 'value', value: reader.budget.spend(content) };
  },
};
