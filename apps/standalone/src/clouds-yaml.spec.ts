import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { cloudsYaml, type CloudEntry } from './clouds-yaml.js';

const ENTRY: CloudEntry = {
  name: 'acme',
  authUrl: 'http://127.0.0.1:8080/identity/v3',
  username: 'alice',
  password: 'a password',
  project: 'acme',
  domainId: 'default',
  region: 'RegionOne',
};

/** As clients read it. */
function read(document: string): unknown {
  return parse(document, { version: '1.1' });
}

describe('a clouds.yaml document', () => {
  it('contains what its user logs in with', () => {
    expect(cloudsYaml([ENTRY])).toBe(
      [
        'clouds:',
        '  acme:',
        '    auth:',
        '      auth_url: "http://127.0.0.1:8080/identity/v3"',
        '      username: "alice"',
        '      password: "a password"',
        '      project_name: "acme"',
        '      user_domain_id: "default"',
        '      project_domain_id: "default"',
        '    region_name: "RegionOne"',
        '    identity_api_version: 3',
        '',
      ].join('\n'),
    );
  });

  it('contains every entry under its name', () => {
    const document = read(cloudsYaml([ENTRY, { ...ENTRY, name: 'another' }]));
    expect(Object.keys((document as { clouds: object }).clouds)).toEqual(['acme', 'another']);
  });

  it('omits an unknown password or region', () => {
    const document = cloudsYaml([{ ...ENTRY, password: undefined, region: undefined }]);
    expect(document).not.toMatch(/password|region_name|undefined|null/);
  });

  it.each([
    'no',
    '012',
    '1e3',
    'a: b # c',
    '- x',
    '*x',
    'ä "quoted" \\ text',
    'two\nlines',
    '\u007f\u0085\u2028',
  ])('keeps %j unchanged in any position', (text) => {
    const entry = { ...ENTRY, name: text, username: text, password: text, project: text };
    expect(read(cloudsYaml([entry]))).toMatchObject({
      clouds: { [text]: { auth: { username: text, password: text, project_name: text } } },
    });
  });

  it('keeps a long password on one line', () => {
    const password = 'word '.repeat(60);
    expect(cloudsYaml([{ ...ENTRY, password }])).toContain(`password: "${password}"\n`);
  });
});
