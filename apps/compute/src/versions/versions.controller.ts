/** The versions of the API. Public source: Nova API reference, "API Versions". */
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { Link } from '../http/pages.js';
import { COMPUTE_VERSIONS } from './microversions.js';

export class VersionSummary {
  @Shown(String, 'Its name.')
  id: string;

  @Shown(String, 'What becomes of it.', { enum: ['CURRENT', 'SUPPORTED'] })
  status: string;

  @Shown(String, 'The last microversion.')
  version: string;

  @Shown(String, 'The first microversion.')
  min_version: string;

  @Shown('date-time', 'When it was first offered.')
  updated: string;

  @Shown([() => Link], 'Where it is.')
  links: Link[];
}

export class MediaType {
  @Shown(String, 'What it is a kind of.')
  base: string;

  @Shown(String, 'Its name.')
  type: string;
}

export class VersionDetail extends VersionSummary {
  @Shown([() => MediaType], 'The forms that it answers in.')
  'media-types': MediaType[];
}

export class VersionList {
  @Shown([() => VersionSummary], 'Every version.')
  versions: VersionSummary[];
}

export class VersionAnswer {
  @Shown(() => VersionDetail, 'The version.')
  version: VersionDetail;
}

const MEDIA_TYPE = {
  base: 'application/json',
  type: 'application/vnd.openstack.compute+json;version=2.1',
};

@ApiTags('versions')
@Controller()
export class VersionsController {
  @Get()
  @Public()
  @Operation('List API versions', VersionList)
  list(@Ctx() { baseUrl }: RequestContext): VersionList {
    return { versions: [firstVersionView(baseUrl), versionView(baseUrl)] };
  }

  @Get('v2')
  @Public()
  @Operation('Show the first API version', VersionAnswer)
  showFirst(@Ctx() { baseUrl }: RequestContext): VersionAnswer {
    const type = 'application/vnd.openstack.compute+json;version=2';
    const view = firstVersionView(baseUrl);
    return { version: { ...view, 'media-types': [{ ...MEDIA_TYPE, type }] } };
  }

  @Get('v2.1')
  @Public()
  @Operation('Show an API version', VersionAnswer)
  show(@Ctx() { baseUrl }: RequestContext): VersionAnswer {
    return { version: { ...versionView(baseUrl), 'media-types': [MEDIA_TYPE] } };
  }
}

/** The same operations under the name that they had before microversions. */
function firstVersionView(baseUrl: string) {
  return {
    id: 'v2.0',
    status: 'SUPPORTED',
    version: '',
    min_version: '',
    updated: '2011-01-21T11:33:21Z',
    links: [{ rel: 'self', href: `${baseUrl}/v2/` }],
  } satisfies VersionSummary;
}

function versionView(baseUrl: string) {
  return {
    id: 'v2.1',
    status: 'CURRENT',
    version: COMPUTE_VERSIONS.max.toString(),
    min_version: COMPUTE_VERSIONS.min.toString(),
    updated: '2013-07-23T11:33:21Z',
    links: [{ rel: 'self', href: `${baseUrl}/v2.1/` }],
  } satisfies VersionSummary;
}

@Feature({ controllers: [VersionsController] })
export class VersionsModule {}
