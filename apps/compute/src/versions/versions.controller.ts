/** The versions of the API. Public source: Nova API reference, "API Versions". */
import { Controller, Get } from '@nestjs/common';
import { Public } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { Link } from '../http/pages.js';
import { COMPUTE_VERSIONS } from './microversions.js';

const VERSION_SUMMARY = {
  id: Shown(String, 'Its name.'),
  status: Shown(String, 'The status of the version.', { enum: ['CURRENT', 'SUPPORTED'] }),
  version: Shown(String, 'The last microversion.'),
  min_version: Shown(String, 'The first microversion.'),
  updated: Shown('date-time', 'When the version was first offered.'),
  links: Shown([() => Link], 'The addresses of the version.'),
};

export const VersionSummary = answerClass('VersionSummary', VERSION_SUMMARY);

export const MediaType = answerClass('MediaType', {
  base: Shown(String, 'The base of the media type.'),
  type: Shown(String, 'Its name.'),
});

export const VersionDetail = answerClass('VersionDetail', {
  ...VERSION_SUMMARY,
  'media-types': Shown([() => MediaType], 'The media types of answers.'),
});

export const VersionList = allUnder('versions', VersionSummary);

export const VersionAnswer = shownUnder('version', VersionDetail);

const MEDIA_TYPE = {
  base: 'application/json',
  type: 'application/vnd.openstack.compute+json;version=2.1',
};

@Controller()
export class VersionsController {
  @Get()
  @Public()
  @Operation('List API versions', VersionList)
  list(@Ctx() { baseUrl }: RequestContext): object {
    return { versions: [firstVersionView(baseUrl), versionView(baseUrl)] };
  }

  @Get('v2')
  @Public()
  @Operation('Show the first API version', VersionAnswer)
  showFirst(@Ctx() { baseUrl }: RequestContext): object {
    const type = 'application/vnd.openstack.compute+json;version=2';
    const view = firstVersionView(baseUrl);
    return { version: { ...view, 'media-types': [{ ...MEDIA_TYPE, type }] } };
  }

  @Get('v2.1')
  @Public()
  @Operation('Show an API version', VersionAnswer)
  show(@Ctx() { baseUrl }: RequestContext): object {
    return { version: { ...versionView(baseUrl), 'media-types': [MEDIA_TYPE] } };
  }
}

/** The same operations under their name from before microversions. */
function firstVersionView(baseUrl: string): object {
  return {
    id: 'v2.0',
    status: 'SUPPORTED',
    version: '',
    min_version: '',
    updated: '2011-01-21T11:33:21Z',
    links: [{ rel: 'self', href: `${baseUrl}/v2/` }],
  };
}

function versionView(baseUrl: string): object {
  return {
    id: 'v2.1',
    status: 'CURRENT',
    version: COMPUTE_VERSIONS.max.toString(),
    min_version: COMPUTE_VERSIONS.min.toString(),
    updated: '2013-07-23T11:33:21Z',
    links: [{ rel: 'self', href: `${baseUrl}/v2.1/` }],
  };
}

@Feature({ controllers: [VersionsController] })
export class VersionsModule {}
