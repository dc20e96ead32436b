import { isList } from '../../json/json.js';
import { itemsOf } from './argument-form.js';
import { computed } from './computed.js';
import { formError, siteError } from './site-error.js';

/**
 * `Fn::MemberListToMap`: pairs, written as the parameters of requests to Amazon's APIs are, to a map.
 * Of members that have the same number, the one with this name is the key, and that with this the value.
 */
export const fnMemberListToMap = computed({
  description: 'Makes a map of a list with numbered names and values.',
  check(argument, site) {
    if (argument.kind !== 'call' && itemsOf(argument)?.length !== 3) {
      throw formError(site, '["Name", "Value", [".member.0.Name=key", ".member.0.Value=door"]]');
    }
  },
  compute(argument, site) {
    const [name = null, value = null, list = null] = isList(argument) ? argument : [];
    if (typeof name !== 'string' || typeof value !== 'string') {
      const which = typeof name === 'string' ? 'Value' : 'Key';
      throw siteError(site, `${site.name} ${which} Name must be a string`);
    }
    if (!isList(list)) {
      throw siteError(site, 'Member list must be a list');
    }
    const members = new Map<number, Map<string, string>>();
    for (const item of list) {
      if (typeof item !== 'string' || !item.includes('=')) {
        throw siteError(site, 'Member list items must be strings: .member.0.Name=key');
      }
      const [, number, key = '', text = ''] =
        /^\.member\.([0-9]+)\.([^=]*)=(.*)$/su.exec(item) ?? [];
      if (number !== undefined) {
        const member = members.get(Number(number)) ?? new Map<string, string>();
        members.set(Number(number), member.set(key, text));
      }
    }
    const entries = [...members]
      .sort(([one], [other]) => one - other)
      .flatMap(([, member]) => pairOf(member.get(name), member.get(value)));
    return Object.fromEntries(entries);
  },
});

function pairOf(key: string | undefined, text: string | undefined): [string, string][] {
  return key === undefined || text === undefined ? [] : [[key, text]];
}
