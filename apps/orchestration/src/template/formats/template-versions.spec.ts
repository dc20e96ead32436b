import { describe, expect, it } from '@jest/globals';
import { templateFunctions, templateVersions } from './formats.js';

const names = (version: string, withConditions = false): readonly string[] | undefined =>
  templateFunctions(version, withConditions)?.map((one) => one.functions);

describe('template versions', () => {
  it('are listed with their aliases', () => {
    const versions = templateVersions();

    expect(versions).toHaveLength(13);
    expect(versions).toContainEqual({
      version: 'heat_template_version.2016-10-14',
      type: 'hot',
      aliases: ['heat_template_version.newton'],
    });
    expect(versions).toContainEqual({
      version: 'AWSTemplateFormatVersion.2010-09-09',
      type: 'cfn',
      aliases: [],
    });
    expect(versions.flatMap(({ aliases }) => aliases)).toEqual(
      ['newton', 'ocata', 'pike', 'queens', 'rocky', 'wallaby'].map(
        (release) => `heat_template_version.${release}`,
      ),
    );
  });

  it('have these functions', () => {
    const hot = (version: string): readonly string[] | undefined =>
      names(`heat_template_version.${version}`);
    const first = ['get_attr', 'get_file', 'get_param', 'get_resource', 'list_join'];

    expect(hot('2014-10-16')).toEqual(['Fn::Select', ...first, 'resource_facade', 'str_replace']);
    expect(hot('2016-04-08')).toEqual([
      'digest',
      ...first,
      'map_merge',
      'repeat',
      'resource_facade',
      'str_replace',
      'str_split',
    ]);
    expect(hot('wallaby')).toEqual(
      [
        ...first,
        'contains',
        'digest',
        'filter',
        'if',
        'list_concat',
        'list_concat_unique',
        'make_url',
        'map_merge',
        'map_replace',
        'repeat',
        'resource_facade',
        'str_replace',
        'str_replace_strict',
        'str_replace_vstrict',
        'str_split',
      ].sort(),
    );
    expect(hot('rocky')).toEqual(hot('2018-08-31'));
    expect(names('HeatTemplateFormatVersion.2012-12-12')).not.toContain('Fn::If');
    expect(names('AWSTemplateFormatVersion.2010-09-09')).toContain('Fn::If');
  });

  it('have additional functions in conditions', () => {
    const version = 'heat_template_version.newton';

    expect(names(version)).not.toContain('equals');
    expect(names(version, true)).toEqual(expect.arrayContaining(['and', 'equals', 'not', 'or']));
    expect(names(version, true)).not.toContain('contains');
    expect(names('AWSTemplateFormatVersion.2010-09-09', true)).toContain('Fn::Not');
  });

  it('describe each function in a line', () => {
    expect(templateFunctions('heat_template_version.2016-04-08', false)).toContainEqual({
      functions: 'get_file',
      description: 'A function for including a file inline.',
    });
  });

  it('are found by their names only', () => {
    expect(templateFunctions('heat_template_version.1999-01-01', false)).toBeUndefined();
  });
});
