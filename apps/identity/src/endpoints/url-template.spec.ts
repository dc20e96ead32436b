import { describe, expect, it } from '@jest/globals';
import { isUrlTemplate, substitute } from './url-template.js';

const values = {
  user_id: 'u',
  project_id: 'p',
  tenant_id: 'p',
  public_endpoint: 'https://cloud.example/identity',
};

describe('substitute', () => {
  it.each([
    ['http://a.example/v1', 'http://a.example/v1'],
    ['http://a.example/v1/%(project_id)s', 'http://a.example/v1/p'],
    ['http://a.example/v1/$(project_id)s', 'http://a.example/v1/p'],
    ['http://a.example/%(tenant_id)s/%(user_id)s', 'http://a.example/p/u'],
    ['http://a.example/%(project_id)s/%(project_id)s', 'http://a.example/p/p'],
    ['$(public_endpoint)s/v3', 'https://cloud.example/identity/v3'],
    ['http://a.example/a%20b$', 'http://a.example/a%20b$'],
  ])('makes of %s %s', (template, url) => {
    expect(substitute(template, values)).toBe(url);
  });

  it('inserts values unchanged', () => {
    const odd = { ...values, user_id: '$&%(project_id)s' };
    expect(substitute('http://%(user_id)s/%(project_id)s', odd)).toBe('http://$&%(project_id)s/p');
  });

  it('is undefined without a project that the URL names', () => {
    const none = { ...values, project_id: undefined, tenant_id: undefined };
    expect(substitute('http://a.example/%(project_id)s', none)).toBeUndefined();
    expect(substitute('http://a.example/$(tenant_id)s', none)).toBeUndefined();
    expect(substitute('http://a.example/%(user_id)s', none)).toBe('http://a.example/u');
  });
});

describe('isUrlTemplate', () => {
  it.each([
    'http://a.example',
    'https://a.example:8774/v2.1',
    'http://[::1]:8774/v1/%(project_id)s',
    'http://a.example/$(user_id)s',
    '$(public_endpoint)s/v3',
    '%(public_endpoint)s',
  ])('takes %s', (url) => {
    expect(isUrlTemplate(url)).toBe(true);
  });

  it.each([
    '',
    'a.example',
    '/v3',
    'ftp://a.example',
    'javascript:alert(1)',
    'http://',
    'http:///v3',
    'http://a.example:port',
    'http://a b.example',
    'http://a.example/\0',
    '$(project_id)s/v3',
    'http://a.example/%(password)s',
    'http://a.example/$(constructor)s',
    'http://a.example/$(project_id)',
    'http://a.example/$(project_id)d',
    'http://a.example/%(project_id',
    `http://a.example/${'a'.repeat(225)}`,
    7,
    null,
  ])('refuses %j', (url) => {
    expect(isUrlTemplate(url)).toBe(false);
  });
});
