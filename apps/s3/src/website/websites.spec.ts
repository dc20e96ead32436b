/** The applied rule, and the Location of a redirect. */
import { describe, expect, it } from '@jest/globals';
import { locationByRule, locationElsewhere, locationOfFolder, ruleFor } from './websites.js';
import type { Redirect, RoutingRule, Website } from '../buckets/bucket.entity.js';

const VISIT = { host: 'a.site.example:9000', isEncrypted: false, rawPath: '/a%20b', rawQuery: '' };

function to(redirect: Redirect, key: string, visit = VISIT, keyPrefix?: string): string {
  const condition = keyPrefix === undefined ? {} : { keyPrefix };
  return locationByRule({ condition, redirect }, key, visit);
}

describe('the matching rule', () => {
  const rule = (condition: RoutingRule['condition']): RoutingRule => ({
    condition,
    redirect: { key: 'x' },
  });
  const both = rule({ keyPrefix: 'docs/', errorStatus: 404 });
  const byPrefix = rule({ keyPrefix: 'images/' });
  const byStatus = rule({ errorStatus: 404 });
  const site: Website = { indexSuffix: 'i', rules: [both, byPrefix, byStatus] };

  it.each([
    ['docs/a', undefined, undefined],
    ['docs/a', 404, both],
    ['docs/a', 403, undefined],
    ['images/a', undefined, byPrefix],
    ['a', 404, byStatus],
    ['', 404, byStatus],
  ])('is found for %j that failed with %s', (key, status, expected) => {
    expect(ruleFor(site, key, status)).toBe(expected);
  });

  it('may be one without a condition, for every page', () => {
    const always = rule({});
    expect(ruleFor({ indexSuffix: 'i', rules: [byStatus, always] }, 'a')).toBe(always);
  });
});

describe('the location of a rule', () => {
  it('keeps what the rule does not replace', () => {
    expect(to({ protocol: 'https' }, 'a b/ü')).toBe('https://a.site.example:9000/a%20b/%C3%BC');
    expect(to({ host: 'b.example' }, '')).toBe('http://b.example/');
  });

  it('replaces the prefix or the key', () => {
    expect(to({ keyPrefix: 'documents/' }, 'docs/a', VISIT, 'docs/')).toMatch(
      /:9000\/documents\/a$/,
    );
    expect(to({ keyPrefix: 'report-404/' }, 'a')).toMatch(/:9000\/report-404\/a$/);
    expect(to({ key: 'gone.html' }, 'docs/a', VISIT, 'docs/')).toMatch(/:9000\/gone\.html$/);
  });

  it('keeps the query, unless the rule sets its own', () => {
    const asked = { ...VISIT, rawQuery: 'a=1&b=\u00fc' };
    expect(to({ key: 'b' }, 'a', asked)).toMatch(/\/b\?a=1&b=%C3%BC$/);
    expect(to({ keyPrefix: '#!/' }, 'a', asked)).toMatch(/:9000\/#!\/a$/);
    expect(to({ keyPrefix: '?page=' }, 'a', asked)).toMatch(/:9000\/\?page=a$/);
  });

  it('is a single line', () => {
    for (const text of ['a\r\nSet-Cookie: b', 'a\u0000'])
      for (const redirect of [{ key: text }, { keyPrefix: text }, { host: text }, {}])
        expect(to(redirect, text)).toMatch(/^[\x21-\x7e]+$/);
  });
});

describe('other locations', () => {
  it('keep the path at another host', () => {
    expect(locationElsewhere({ host: 'b.example' }, VISIT)).toBe('http://b.example/a%20b');
    expect(
      locationElsewhere({ host: 'b.example', protocol: 'https' }, { ...VISIT, rawQuery: 'c' }),
    ).toBe('https://b.example/a%20b?c');
  });

  it('of folders stay on the host', () => {
    expect(locationOfFolder('a b', VISIT)).toBe('/a%20b/');
    expect(locationOfFolder('/b.example', VISIT)).toBe('/%2Fb.example/');
    expect(locationOfFolder('\\b.example', VISIT)).toBe('/%5Cb.example/');
  });
});
