import { computed } from './computed.js';
import { siteError } from './site-error.js';

/** `Fn::Base64` gives its text as it is: servers take user data in plain text. */
export const fnBase64 = computed({
  description: 'Gives a text as it is, where templates encode it elsewhere.',
  compute(argument, site) {
    if (typeof argument !== 'string') {
      throw siteError(site, `"${site.name}" argument must be a string`);
    }
    return argument;
  },
});
