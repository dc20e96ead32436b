import { createHash } from 'node:crypto';
import { isList, ownOf } from '../../json/json.js';
import { computed } from './computed.js';
import { siteError } from './site-error.js';

/** By the names that templates use, as OpenSSL calls them. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  md5: 'md5',
  sha1: 'sha1',
  sha224: 'sha224',
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
  sha512_224: 'sha512-224',
  sha512_256: 'sha512-256',
  sha3_224: 'sha3-224',
  sha3_256: 'sha3-256',
  sha3_384: 'sha3-384',
  sha3_512: 'sha3-512',
  blake2b: 'blake2b512',
  blake2s: 'blake2s256',
};

/** Heat template guide, "digest": of a text of Latin letters, in hexadecimal. */
export const digest = computed({
  description: 'Gives the digest of a text by an algorithm: md5, sha256, sha512, …',
  compute(argument, site) {
    if (!isList(argument) || !argument.every((item): item is string => typeof item === 'string')) {
      throw siteError(site, `Argument to function "${site.name}" must be a list of strings`);
    }
    const [name, text] = argument;
    if (name === undefined || text === undefined || argument.length !== 2) {
      throw siteError(site, `Function "${site.name}" usage: ["<algorithm>", "<value>"]`);
    }
    const algorithm = ownOf(ALGORITHMS, name.toLowerCase());
    if (algorithm === undefined) {
      const known = Object.keys(ALGORITHMS).join(', ');
      throw siteError(site, `Algorithm must be one of ${known}`);
    }
    if (Buffer.from(text, 'latin1').toString('latin1') !== text) {
      throw siteError(site, `"${site.name}" takes texts in Latin-1 alone`);
    }
    return createHash(algorithm).update(text, 'latin1').digest('hex');
  },
});
